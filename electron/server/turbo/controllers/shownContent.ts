import type { ScreenContent } from '#shared/screen/content.ts';
import type { Body } from '../frames/protocol/messages.ts';

/** Version of the drawing rules that the station uses when it draws for a device. In this version, a single element is extra large. */
export const DRAWING_RULES = 70;

/** Converts the fields of a show message to screen content. */
export function contentOf(screen: Extract<Body<'show'>['screen'], { form: 'fields' }>): ScreenContent {
  const { label, lines, quantity, arrow, barcode, qrcode, icon } = screen;
  return { label, lines, quantity: quantity ?? null, arrow: arrow ?? null, barcode, qrcode, icon };
}
