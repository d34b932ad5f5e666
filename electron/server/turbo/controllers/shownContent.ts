import type { ScreenContent } from '#shared/screen/content.ts';
import type { Body } from '../frames/protocol/messages.ts';

/** Version of the drawing rules for screens that the station draws, in which a single element is extra large. */
export const DRAWING_RULES = 70;

/** Returns the screen content of a show with fields. */
export function contentOf(screen: Extract<Body<'show'>['screen'], { form: 'fields' }>): ScreenContent {
  const { label, lines, quantity, arrow, barcode, qrcode, icon } = screen;
  return { label, lines, quantity: quantity ?? null, arrow: arrow ?? null, barcode, qrcode, icon };
}
