import type { ScreenSize } from '#shared/screen/panel.ts';
import { SCREEN_CASES, type ScreenCase } from './screenCases.ts';

const HIGH = { width: 384, height: 168 };
const SQUARE = { width: 152, height: 152 };
const WIDE = { width: 522, height: 152 };
/** Screen sizes that use the layout of another size. */
const LARGER = { width: 360, height: 184 };
const SMALLER = { width: 200, height: 96 };

/** Names of screens that together use each kind of layout once. */
const NAMES = [
  'label-too-long',
  'alone-text',
  'alone-quantity',
  'alone-qrcode',
  'alone-arrow',
  'alone-icon',
  'alone-barcode-short',
  'lines-3',
  'lines-5-of-26-characters',
  'lines-4-barcode',
  'quantity-2-figures',
  'quantity-barcode',
  'qrcode-4-lines',
  'icon-4-lines',
  'arrow-left',
  'two-quantity-qrcode',
  'two-quantity-arrow-barcode',
  'two-quantity-qrcode-barcode-over-99',
  'two-arrow-icon-bottomright',
];

function at(size: ScreenSize, names: readonly string[]): ScreenCase[] {
  return SCREEN_CASES.filter(({ name }) => names.includes(name)).map(({ name, content, options }) => ({
    name: `${name}-${size.width}x${size.height}`,
    content,
    options: { ...options, size },
  }));
}

/** Screens of other sizes whose expected pixels are stored as pictures. */
export const SIZE_CASES: readonly ScreenCase[] = [
  ...at(HIGH, NAMES),
  ...at(SQUARE, NAMES),
  ...at(WIDE, ['lines-3', 'quantity-2-figures', 'two-quantity-arrow-barcode', 'qrcode-4-lines']),
  ...at(LARGER, ['quantity-2-figures']),
  ...at(SMALLER, ['quantity-2-figures']),
];
