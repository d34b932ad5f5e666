/** Rules by which a launch chooses among equally good places of an article. No zod in this file, because the page imports it. */
export const PLACE_RULES = ['priority', 'emptiest'] as const;
export type PlaceRule = (typeof PLACE_RULES)[number];
