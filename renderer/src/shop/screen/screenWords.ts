import type { ScreenContent } from '#shared/screen/content.ts';
import * as texts from '../../words/texts.ts';

/** Describes the content of a screen in text, for screen readers. */
export function screenWords(screen: ScreenContent): string {
  const words = [
    screen.label,
    screen.quantity === null ? '' : texts.screen.quantity(screen.quantity),
    ...screen.lines,
    screen.arrow === null ? '' : texts.screen.arrow(texts.arrows[screen.arrow]),
    screen.barcode === '' ? '' : texts.screen.barcode(screen.barcode),
    screen.qrcode === '' ? '' : texts.screen.qrcode(screen.qrcode),
    screen.icon,
  ].filter((word) => word !== '');
  return words.length === 0 ? texts.screen.blank : texts.screen.shows(words.join(', '));
}
