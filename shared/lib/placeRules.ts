/** How a launch chooses among places of an article that are equally good. No zod in this file: the page imports it. */
export const PLACE_RULES = ['priority', 'emptiest'] as const;
export type PlaceRule = (typeof PLACE_RULES)[number];
