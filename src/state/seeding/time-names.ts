/** Matches the snake_case name of an entity's creation time. */
export const CREATED: RegExp =
  /^(created|inserted|registered|joined|added|placed|ordered)(_(at|on|date|time))?$|^date_(created|joined|added)$|^(creat(e|ion)|order)_(date|time)$/;

/** Matches the name of its publication time. */
export const PUBLISHED: RegExp = /^(published|posted)_(at|on|date|time)$|^publi(sh|cation)_date$/;

/** Matches the name of the time of its last change. */
export const UPDATED: RegExp =
  /^(last_)?(updated|modified|changed)(_(at|on|date|time))?$|^date_(updated|modified)$|^update_(date|time)$/;

/** Match the names of other events in its life, in the usual order. */
const HAPPENED: readonly RegExp[] = [
  PUBLISHED,
  /^(confirmed|approved|accepted|submitted|paid|sent|processed)_(at|on|date|time)$/,
  /^(started|shipped)_(at|on|date|time)$/,
  /^(delivered|completed|finished|ended|closed|resolved|returned|refunded|read)_(at|on|date|time)$/,
];

const REMOVED = /^(deleted|archived|removed|cancell?ed|revoked)_(at|on|date|time)$/;

/** All time names, in order. */
export const TIME_ORDER: readonly RegExp[] = [CREATED, ...HAPPENED, UPDATED, REMOVED];

/** Whether a name is that of an event after the creation. */
export function isLaterEvent(name: string): boolean {
  return [...HAPPENED, REMOVED].some((pattern) => pattern.test(name));
}
