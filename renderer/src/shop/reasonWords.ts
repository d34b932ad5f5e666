import type { ShortReason } from '#shared/lib/orders/shortReasons.ts';
import { valueAt } from '#shared/lib/station/valueAt.ts';
import * as texts from '../words/texts.ts';

/** Returns the text of a reason. This is the custom text, or else the translation of the key, or else the key itself. */
export function reasonWords({ key, text }: ShortReason): string {
  return text ?? valueAt(texts.pick.shortDialog.reasons, key) ?? key;
}
