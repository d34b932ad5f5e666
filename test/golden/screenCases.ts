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

const SKU = '4006381333931';
const LINK = 'https://example.com/p/4711';
const LONG_LABEL = 'Workshop hall 3, rack 12, shelf 4, far left';
const NO_SMOKING = 'hazardd';

/** Screens with a single element, by the name of the stored picture. */
const ELEMENTS = {
  text: { lines: ['A-12'] },
  quantity: { quantity: 5 },
  qrcode: { qrcode: LINK },
  arrow: { arrow: 'left' },
  icon: { icon: NO_SMOKING },
  barcode: { barcode: SKU },
} as const satisfies Record<string, Partial<ScreenContent>>;

const PAIRS = {
  'quantity-qrcode': { quantity: 12, qrcode: LINK },
  'quantity-arrow': { quantity: 12, arrow: 'left' },
  'quantity-icon': { quantity: 12, icon: NO_SMOKING },
  'qrcode-arrow': { qrcode: LINK, arrow: 'left' },
  'qrcode-icon': { qrcode: LINK, icon: NO_SMOKING },
  'arrow-icon': { arrow: 'left', icon: NO_SMOKING },
} as const satisfies Record<string, Partial<ScreenContent>>;

/** The screens whose expected pixels are stored as pictures, with the name of each picture. */
export const SCREEN_CASES: readonly ScreenCase[] = [
  screen('label-and-battery', {}),
  screen('label-in-two-rows', { label: LONG_LABEL, lines: ['M8 washer'] }),
  screen('label-in-two-rows-beside-qrcode', { label: LONG_LABEL, lines: ['M8 washer', 'DIN 125'], qrcode: LINK }),
  screen('label-too-long', {
    label: LONG_LABEL,
    lines: ['M8 washer', 'DIN 125', 'zinc plated', 'box 12', 'use first'],
  }),
  screen('label-beside-qrcode', { label: 'Hall 3, rack 12', lines: ['M8 washer'], qrcode: LINK }),
  screen('label-in-rows', { label: LONG_LABEL, qrcode: LINK }),
  screen('label-in-one-word', { label: 'WAREHOUSE-3-RACK-12', icon: NO_SMOKING }),
  screen('no-header', { label: '', lines: ['M8 washer', 'on hand 240'] }, { batteryMv: null }),

  ...Object.entries(ELEMENTS).flatMap(([name, content]) => [
    screen(`alone-${name}`, content),
    screen(`alone-${name}-firmware-66`, content, { firmware: 66 }),
  ]),
  screen('alone-quantity-over-99', { quantity: 120 }),
  screen('alone-text-with-accent', { lines: ['Öl'] }),
  screen('alone-text-wide', { lines: ['WWWW'] }),
  screen('alone-barcode-short', { barcode: 'A-12' }),
  screen('alone-barcode-23-characters', { barcode: 'ABCDEFGHIJKLMNOPQRSTUVW' }),
  ...ARROWS.map((arrow) => screen(`alone-arrow-${arrow}`, { arrow })),

  screen('lines-1-short', { lines: ['Bolts'] }),
  screen('lines-1-of-26-characters', { lines: ['Cable gland M20x1.5 IP68 b'] }),
  screen('lines-1-of-26-wide-characters', { lines: ['W'.repeat(26)] }),
  screen('lines-2', { lines: ['Heat shrink', '3:1, 6 mm'] }),
  screen('lines-3', { label: 'A-4-1', lines: ['M8 washer', 'DIN 125 zinc', 'on hand 240'] }),
  screen('lines-4-barcode', { lines: ['Threadlock 50 ml', 'blue, medium', 'use by 2027-03', 'box 12'], barcode: SKU }),
  screen('lines-4-barcode-26-characters', {
    lines: ['W'.repeat(26), 'Ågjp'.repeat(7), 'ŻĄgjÇ'.repeat(6), 'Hex bolt M8x40 DIN 933 8.8'],
    barcode: SKU,
  }),
  screen('lines-quantity-over-99', { lines: ['150', 'Cable tie 200 mm'], barcode: SKU }),
  screen('lines-quantity-over-99-described', { lines: ['1250', 'Hex bolt M8x40', 'zinc plated'], barcode: SKU }),
  screen('lines-quantity-over-99-arrow', {
    lines: ['120', 'Cable tie 200 mm', 'black'],
    barcode: SKU,
    arrow: 'left',
  }),
  screen('lines-5', { lines: ['Hex bolt M8x40', 'DIN 933 8.8', 'zinc plated', 'box of 100', 'shelf life 24 months'] }),
  screen('lines-5-of-26-characters', { lines: Array.from({ length: 5 }, () => 'Hex bolt M8x40 DIN 933 8.8') }),
  screen('lines-with-empty-slots', { lines: ['Ear muffs', '', 'on hand 12'] }),
  screen('lines-alphabets', { label: 'Ω-3', lines: ['Ρουλεμάν', 'Подшипник 6202', 'Größe Šroub ½″ Łódź'] }),
  screen('lines-with-accents', { lines: ['ÅNGSTRÖM', 'ÄÖÜ ÇŞ gjpqy', 'ŻŹĆŃ Ỹ'] }),
  screen('lines-with-unknown-characters', { lines: ['漢字 M8', '👩‍👩‍👧 x̂ ok'] }),

  screen('quantity-1-figure', { lines: ['Cable tie 200', 'black, 100 pcs'], quantity: 5 }),
  screen('quantity-2-figures', { lines: ['M8 nut', 'DIN 934'], quantity: 12 }),
  screen('quantity-over-99', { lines: ['M8 nut', 'DIN 934'], quantity: 120 }),
  screen('quantity-26-characters', { lines: ['SKU 4711-0815-ABCDEF-99-XY', 'Kabelbinder'], quantity: 88 }),
  screen('quantity-4-lines', { lines: ['Threadlock', '50 ml', 'blue, medium', 'use by 2027-03'], quantity: 7 }),
  screen('quantity-barcode', { lines: ['M8 nut', 'DIN 934', 'zinc plated'], quantity: 12, barcode: SKU }),
  screen('quantity-over-99-barcode', { lines: ['M8 nut'], quantity: 120, barcode: SKU }),
  screen('qrcode-4-lines', { lines: ['Glove M', 'nitrile, blue', '12 pairs', 'scan for safety'], qrcode: LINK }),
  screen('qrcode-barcode', { lines: ['M8 nut', 'DIN 934', 'zinc plated'], qrcode: LINK, barcode: 'A-12' }),
  screen('icon-4-lines', { lines: ['Solvent', '5 l', 'gloves, goggles', 'keep upright'], icon: NO_SMOKING }),
  screen('icon-barcode', { lines: ['Solvent', '5 l', 'keep upright'], icon: NO_SMOKING, barcode: SKU }),
  ...ARROWS.map((arrow) => screen(`arrow-${arrow}`, { arrow, lines: ['M8 nut', 'DIN 934'] })),
  screen('arrow-barcode', { lines: ['M8 nut', 'DIN 934', 'zinc plated'], arrow: 'bottomright', barcode: SKU }),
  screen('arrow-right-firmware-66', { arrow: 'right', lines: ['M8 nut', 'DIN 934'] }, { firmware: 66 }),

  ...Object.entries(PAIRS).flatMap(([name, content]) => [
    screen(`two-${name}`, { ...content, lines: ['M8 nut', 'DIN 934', 'zinc plated'] }),
    screen(`two-${name}-barcode`, { ...content, lines: ['M8 nut', 'DIN 934'], barcode: SKU }),
    screen(`two-${name}-barcode-firmware-66`, { ...content, label: '', barcode: SKU }, { firmware: 66 }),
  ]),
  screen('two-quantity-qrcode-over-99', { lines: ['M8 nut'], quantity: 120, qrcode: LINK }),
  screen('two-quantity-qrcode-barcode-over-99', {
    lines: ['M8 nut', 'DIN 934'],
    quantity: 120,
    qrcode: LINK,
    barcode: SKU,
  }),
  screen('two-quantity-icon-barcode-over-99', { lines: ['M8 nut'], quantity: 120, icon: NO_SMOKING, barcode: SKU }),
  screen('two-quantity-arrow-over-99', { lines: ['M8 nut'], quantity: 120, arrow: 'bottom' }),
  screen('two-quantity-arrow-topleft', { lines: ['Glove M', '12 pairs'], quantity: 12, arrow: 'topleft' }),
  screen('two-quantity-arrow-topright-barcode', { lines: ['M8 nut'], quantity: 12, arrow: 'topright', barcode: SKU }),
  screen('two-quantity-arrow-firmware-66', { lines: ['Glove M'], quantity: 3, arrow: 'topright' }, { firmware: 66 }),
  screen('two-qrcode-arrow-right', { lines: ['M8 nut', 'DIN 934'], qrcode: LINK, arrow: 'right' }),
  screen('two-qrcode-arrow-topright', { lines: ['M8 nut', 'DIN 934'], qrcode: LINK, arrow: 'topright' }),
  screen('two-qrcode-arrow-right-barcode', { lines: ['M8 nut'], qrcode: LINK, arrow: 'right', barcode: SKU }),
  screen('two-arrow-icon-bottomright', { lines: ['Drums', '200 l'], icon: NO_SMOKING, arrow: 'bottomright' }),

  screen('statics-stock', { label: 'A-4-1', lines: ['M8 washer', 'DIN 125 zinc', 'on hand 240'] }),
  screen('statics-count', { label: 'A-4-1', lines: ['M8 washer', 'DIN 125 zinc'], quantity: 240 }),
  screen('statics-article', { label: 'A-4-1', lines: ['M8 washer', 'DIN 125 zinc'], barcode: SKU }),
  screen('statics-safety', { label: 'B-2-1', lines: ['Goggles', 'before grinding'], icon: 'hazardl' }),
  screen('statics-firmware-66', { label: 'A-4-1', lines: ['A-41'] }, { firmware: 66 }),
  screen('statics-nothing-else', { label: 'A-4-1' }),

  screen('refused-barcode', { lines: ['M8 nut', 'DIN 934'], quantity: 12, barcode: 'Schraube M8 größer' }),
  screen('refused-qrcode', { lines: ['Scan me'], qrcode: 'https://example.com/articles/hexagon-bolts/4711?lang=de' }),
  screen('refused-icon', { lines: ['Drums'], quantity: 2, icon: 'no-such-sign' }),
];
