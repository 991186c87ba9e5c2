/** The time at which an entity came to be, in snake_case. */
export const CREATED: RegExp =
  /^(created|inserted|registered|joined|added|placed|ordered)(_(at|on|date|time))?$|^date_(created|joined|added)$|^(creat(e|ion)|order)_(date|time)$/;

/** The time at which others can first see it. */
export const PUBLISHED: RegExp = /^(published|posted)_(at|on|date|time)$|^publi(sh|cation)_date$/;

/** The time of its last change. */
export const UPDATED: RegExp =
  /^(last_)?(updated|modified|changed)(_(at|on|date|time))?$|^date_(updated|modified)$|^update_(date|time)$/;

/** Times at which something else happened to it, in the usual order. */
const HAPPENED: readonly RegExp[] = [
  PUBLISHED,
  /^(confirmed|approved|accepted|submitted|paid|sent|processed)_(at|on|date|time)$/,
  /^(started|shipped)_(at|on|date|time)$/,
  /^(delivered|completed|finished|ended|closed|resolved|returned|refunded|read)_(at|on|date|time)$/,
];

const REMOVED = /^(deleted|archived|removed|cancell?ed|revoked)_(at|on|date|time)$/;

/** All of them, in order. */
export const TIME_ORDER: readonly RegExp[] = [CREATED, ...HAPPENED, UPDATED, REMOVED];

/** Whether a time says when something happened to an entity after its creation. */
export function isLaterEvent(name: string): boolean {
  return [...HAPPENED, REMOVED].some((pattern) => pattern.test(name));
}
