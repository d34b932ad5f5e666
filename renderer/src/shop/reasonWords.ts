import type { ShortReason } from '#shared/lib/shortReasons.ts';
import * as texts from '../words/texts.ts';

/** What people read of a reason: its text, else our word for it, else its key. */
export function reasonWords({ key, text }: ShortReason): string {
  return text ?? texts.pick.shortDialog.reasons[key] ?? key;
}
