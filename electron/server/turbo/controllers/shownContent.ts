import type { ScreenContent } from '#shared/screen/content.ts';
import type { Body } from '../frames/protocol/messages.ts';

/** The version of the drawing rules for screens that the station draws: a single element is extra large. */
export const DRAWING_RULES = 70;

/** What a show with fields puts on a screen. */
export function contentOf(screen: Extract<Body<'show'>['screen'], { form: 'fields' }>): ScreenContent {
  const { label, lines, quantity, arrow, barcode, qrcode, icon } = screen;
  return { label, lines, quantity: quantity ?? null, arrow: arrow ?? null, barcode, qrcode, icon };
}
