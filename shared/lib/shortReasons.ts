/** Why fewer pieces were found than ordered. `key`: as it is sent and stored; `text`: as people read it. */
export type ShortReason = { key: string; text?: string | undefined };

/** Reasons that have a meaning for stock: they always exist, and only their text can be changed. */
export const FIXED_REASONS = ['missing', 'damaged', 'wrong_item', 'other'] as const;

/** The reasons as they are stored. Older versions wrote a reason as a text, which is its key. Adds the fixed reasons that are missing. */
export function wholeReasons(given: readonly (string | ShortReason)[]): ShortReason[] {
  const reasons = given.map((each): ShortReason => {
    const { key, text = '' } = typeof each === 'string' ? { key: each } : each;
    return text.trim() === '' ? { key } : { key, text: text.trim() };
  });
  const keys = new Set(reasons.map(({ key }) => key));
  return [...reasons, ...FIXED_REASONS.filter((key) => !keys.has(key)).map((key) => ({ key }))];
}
