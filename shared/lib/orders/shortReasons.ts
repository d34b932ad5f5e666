/** A reason for a short. `key` is sent and stored, and `text` is shown to people. */
export type ShortReason = { key: string; text?: string | undefined };

/** Reasons that have a meaning for stock. They always exist, and only their text can be changed. */
export const FIXED_REASONS = ['missing', 'damaged', 'wrong_item', 'other'] as const;

/** Returns the complete list of stored reasons. Converts texts from earlier versions, which become keys, and adds missing fixed reasons. */
export function wholeReasons(given: readonly (string | ShortReason)[]): ShortReason[] {
  const reasons = given.map((each): ShortReason => {
    const { key, text = '' } = typeof each === 'string' ? { key: each } : each;
    return text.trim() === '' ? { key } : { key, text: text.trim() };
  });
  const keys = new Set(reasons.map(({ key }) => key));
  return [...reasons, ...FIXED_REASONS.filter((key) => !keys.has(key)).map((key) => ({ key }))];
}
