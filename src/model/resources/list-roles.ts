import { toSnake } from './snake-case.ts';

/** The roles of a list's parameters, apart from filters. */
export type ListRole = 'limit' | 'offset' | 'page' | 'cursor' | 'sort' | 'direction' | 'search';

/** The usual names of the parameters, in snake_case. */
export const LIST_ROLES: Readonly<Record<ListRole, RegExp>> = {
  limit: /^(limit|per_page|page_?size|page_limit|size|take|top|max_results|max_items|count|first)$/,
  offset: /^(offset|page_offset|skip|start|start_index|from)$/,
  page: /^(page|page_?number|page_?index|page_no|p)$/,
  cursor:
    /^(cursor|page_cursor|after|page_after|page_token|next_token|next_cursor|continuation_token|starting_after|after_id)$/,
  sort: /^(sort|sort_by|order_?by|sort_field|sort_column|ordering)$/,
  direction: /^(order|direction|dir|sort_order|sort_dir|sort_direction|order_dir)$/,
  search: /^(q|query|search|search_term|keyword|keywords|term|text)$/,
};

/** Whether a parameter with this name decides where a page starts or ends. */
export function isPageName(name: string): boolean {
  const { limit, offset, page, cursor } = LIST_ROLES;
  return [limit, offset, page, cursor].some((pattern) => pattern.test(toSnake(name)));
}
