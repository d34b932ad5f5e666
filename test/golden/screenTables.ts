import type { ElementName, ScreenContent } from '#shared/screen/content.ts';
import type { LayoutOptions } from '#shared/screen/layout.ts';
import { lay, NEW_FIRMWARE, OLD_FIRMWARE } from './screenHelpers.ts';

const MM_PER_PIXEL = 0.2266;
const SAMPLES = {
  quantity: { quantity: 5 },
  qrcode: { qrcode: 'https://example.com' },
  arrow: { arrow: 'top' },
  icon: { icon: 'no-smoking' },
} as const satisfies Record<string, Partial<ScreenContent>>;
type Graphic = keyof typeof SAMPLES;

const GRAPHICS: readonly (readonly Graphic[])[] = [
  ['quantity'],
  ['qrcode'],
  ['arrow'],
  ['icon'],
  ['quantity', 'qrcode'],
  ['quantity', 'arrow'],
  ['quantity', 'icon'],
  ['qrcode', 'arrow'],
  ['qrcode', 'icon'],
  ['icon', 'arrow'],
];

/** Returns the rows of the table of places in docs/screens.md, computed from the layout. */
export function listPlaces(): string[] {
  return GRAPHICS.flatMap((names) => {
    const content = Object.assign({}, ...names.map((name) => SAMPLES[name])) as Partial<ScreenContent>;
    return names.map((name, index) => {
      const label = index === 0 ? names.join(' and ') : '';
      const cells = ['', '12345'].map((barcode) => describePlace(name, { ...content, barcode, lines: ['x'] }));
      return row(label, name, ...cells);
    });
  });
}

function describePlace(name: Graphic, content: Partial<ScreenContent>): string {
  const { x, y, width, height } = firstOf(name, content, OLD_FIRMWARE);
  return `${x}, ${y}: ${width} x ${height}`;
}

/** Returns the rows of the table of capital heights in docs/screens.md, in millimeters for lines of six characters. */
export function listCapitals(): string[] {
  return [1, 2, 3, 4, 5].map((count) =>
    row(
      String(count),
      capitals(count, {}, NEW_FIRMWARE),
      capitals(count - 1, { quantity: 5 }, NEW_FIRMWARE),
      capitals(count - 1, { barcode: '12345' }, NEW_FIRMWARE),
      count < 2 ? '' : capitals(count - 2, { quantity: 5, barcode: '12345' }, NEW_FIRMWARE),
      count < 2 ? '' : capitals(count - 2, { quantity: 5, arrow: 'top' }, NEW_FIRMWARE),
      count < 3 ? '' : capitals(count - 3, { quantity: 5, arrow: 'top', barcode: '12345' }, NEW_FIRMWARE),
    ),
  );
}

/** Returns the heights of capitals in the quantity (if there is one), in the first line and in the other lines. */
function capitals(lineCount: number, content: Partial<ScreenContent>, options: LayoutOptions): string {
  const lines = Array.from({ length: lineCount }, () => 'M8 nut');
  const owners: ElementName[] = ['quantity', 'line1', 'line2'];
  const items = lay({ ...content, lines }, options).items;
  const heights = owners.flatMap((owner) => {
    const text = items.find((item) => item.kind === 'text' && item.owner === owner);
    return text === undefined ? [] : [`${owner === 'quantity' ? 'figures ' : ''}${toMm(text.height)}`];
  });
  return heights.join(', ');
}

function firstOf(owner: Graphic, content: Partial<ScreenContent>, options: LayoutOptions) {
  const found = lay(content, options).items.find((item) => item.owner === owner);
  if (found === undefined) throw new Error(`There is no ${owner}.`);
  return found;
}

function toMm(pixels: number): string {
  return (pixels * MM_PER_PIXEL).toFixed(1);
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
