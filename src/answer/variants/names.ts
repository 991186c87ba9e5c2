import { toSnake } from '../../model/resources/resources.ts';

/** Whether a member names its object. */
export function isKeyName(name: string): boolean {
  return KEY.test(toSnake(name));
}

/** Whether programs follow or compare a member, such as `petId`, `href` or `type`, so that any other value would break them. */
export function isReferenceName(name: string): boolean {
  return name.startsWith('$') || name.startsWith('@') || REFERENCE.test(toSnake(name));
}

/** Whether a list of this name refers to other objects. */
export function isKeyListName(name: string): boolean {
  return KEY_LIST.test(toSnake(name));
}

/** Whether a number of this name is a point in time. */
export function isTimeName(name: string): boolean {
  return TIME.test(toSnake(name));
}

/** Whether a member of an envelope is about the page. */
export function isPageMemberName(name: string): boolean {
  return PAGE.test(toSnake(name)) || isTotalName(name) || isMoreName(name);
}

/** Whether a member of an envelope counts its items. */
export function isTotalName(name: string): boolean {
  return TOTAL.test(toSnake(name));
}

/** Whether a member of an envelope says that there are more pages. */
export function isMoreName(name: string): boolean {
  return MORE.test(toSnake(name));
}

/** Whether a member of an error classifies it for programs. */
export function isErrorFactName(name: string): boolean {
  return ERROR_FACT.test(toSnake(name));
}

const KEY = /^_?(id|uuid|guid)$/;
const REFERENCE =
  /(^|_)(ids?|uuids?|guids?|keys?|refs?|hrefs?|ur[il]s?|links?|self|token|cursor|slug|etag|sku|isbn|rel|type|kind|object|typename|status|role|currency|locale|time_?zone)$/;
const KEY_LIST = /(^|_)(ids?|uuids?|guids?|keys?|refs?)$/;
const TIME = /(^|_)(at|on|date|time|timestamp|created|updated|modified|year|expires)$/;
const PAGE =
  /^(limit|offset|skip|start|from|take|first|last|next|prev|previous|self|cursor|page|pages|size|number|((current|last|next|prev|previous|first)_)?page(_?(number|index|size|limit|token|url|link))?|(per|items_per)_page|num_pages|start_index|(start|end)_cursor)$/;
const TOTAL =
  /^(totals?|total_\w+|\w+_(total|count)|count|num_found|number_of_elements|returned|full_count)$/;
const MORE = /^(has_?(more|next|prev|previous)(_?page)?|more)$/;
const ERROR_FACT = /(^|_)(status|code|type|errno)$/;
