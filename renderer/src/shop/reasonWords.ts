import type { ShortReason } from '#shared/lib/orders/shortReasons.ts';
import * as texts from '../words/texts.ts';

/** Returns the text of a reason: its custom text, else the translation of its key, else the key. */
export function reasonWords({ key, text }: ShortReason): string {
  return text ?? texts.pick.shortDialog.reasons[key] ?? key;
}
