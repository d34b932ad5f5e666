/** When Enter confirms a line on Pick. */
export const ENTER_RULES = ['always', 'never', 'unless_scanning'] as const;
export type EnterRule = (typeof ENTER_RULES)[number];
