import { ARROWS, EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import type { LayoutOptions } from '#shared/screen/layout.ts';

export type ScreenCase = { name: string; content: ScreenContent; options: LayoutOptions };

const FRESH_BATTERY_MV = 2_980;

function screen(name: string, content: Partial<ScreenContent>, options: Partial<LayoutOptions> = {}): ScreenCase {
  return {
    name,
    content: { ...EMPTY_SCREEN, label: 'A-3-2', ...content },
    options: { firmware: 70, batteryMv: FRESH_BATTERY_MV, ...options },
  };
}

/** The screens whose pixels are kept as pictures, by the name of the picture. */
export const SCREEN_CASES: readonly ScreenCase[] = [
  screen('label-and-battery', {}),
  screen('label-too-long', { label: 'Workshop hall 3, rack 12, shelf 4, far left', lines: ['M8 washer'] }),
  screen('no-header', { label: '', lines: ['M8 washer', 'on hand 240'] }, { batteryMv: null }),
  screen('line-short', { lines: ['Bolts'] }),
  screen('line-26-characters', { lines: ['Cable gland M20x1.5 IP68 b'] }),
  screen('line-26-wide-characters', { lines: ['W'.repeat(26)] }),
  screen('lines-2', { lines: ['Heat shrink', '3:1, 6 mm'] }),
  screen('lines-3-stock', { label: 'A-4-1', lines: ['M8 washer', 'DIN 125 zinc', 'on hand 240'] }),
  screen('lines-5', { lines: ['Hex bolt M8x40', 'DIN 933 8.8', 'zinc plated', 'box of 100', 'shelf life 24 months'] }),
  screen('lines-with-empty-slots', { lines: ['Ear muffs', '', 'on hand 12'] }),
  screen('quantity-2-lines', { lines: ['Cable tie 200', 'black, 100 pcs'], quantity: 5 }),
  screen('quantity-2-figures', { lines: ['M8 nut', 'DIN 934'], quantity: 12 }),
  screen('quantity-over-99', { lines: ['M8 nut', 'DIN 934'], quantity: 120 }),
  screen('quantity-26-characters', { lines: ['SKU 4711-0815-ABCDEF-99-XY', 'Kabelbinder'], quantity: 88 }),
  screen('quantity-4-lines', { lines: ['Threadlock', '50 ml', 'blue, medium', 'use by 2027-03'], quantity: 7 }),
  screen('quantity-arrow-3-lines', { lines: ['Glove M', '12 pairs', 'nitrile, blue'], quantity: 3, arrow: 'left' }),
  screen('quantity-arrow-up', { lines: ['Glove M', '12 pairs'], quantity: 12, arrow: 'topleft' }),
  screen('quantity-arrow-firmware-66', { lines: ['Glove M'], quantity: 3, arrow: 'topright' }, { firmware: 66 }),
  screen('quantity-alone-firmware-66', { quantity: 5 }, { firmware: 66 }),
  screen('quantity-alone', { quantity: 5 }),
  screen('quantity-over-99-alone', { quantity: 120 }),
  screen('text-alone', { lines: ['A-12'] }),
  screen('text-alone-firmware-66', { lines: ['A-12'] }, { firmware: 66 }),
  screen('text-alone-with-accent', { lines: ['Öl'] }),
  ...ARROWS.flatMap((arrow) => [
    screen(`arrow-${arrow}`, { arrow, lines: ['M8 nut', 'DIN 934'] }),
    screen(`arrow-${arrow}-alone`, { arrow }),
  ]),
  screen('arrow-right-firmware-66', { arrow: 'right', lines: ['M8 nut', 'DIN 934'] }, { firmware: 66 }),
  screen('alphabets', { label: 'Ω-3', lines: ['Ρουλεμάν', 'Подшипник 6202', 'Größe Šroub ½″ Łódź'] }),
  screen('accents-on-capitals', { lines: ['ÅNGSTRÖM', 'ÄÖÜ ÇŞ gjpqy', 'ŻŹĆŃ Ỹ'] }),
  screen('unknown-characters', { lines: ['漢字 M8', '👩‍👩‍👧 x̂ ok'] }),
  screen('barcode-as-text', { lines: ['M8 nut', 'DIN 934'], quantity: 12, barcode: '4006381333931' }),
  screen('barcode-quantity-arrow', { lines: ['M8 nut'], quantity: 12, arrow: 'topright', barcode: '4006381333931' }),
  screen('qrcode-as-text', { lines: ['Scan me'], qrcode: 'https://example.com/4711' }),
  screen('icon-as-text', { lines: ['Drums'], quantity: 2, icon: 'no-smoking' }),
];
