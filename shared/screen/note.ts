import { inset, placeText, type DrawnItem, type ItemOwner, type Rect } from './items.ts';
import { sheetOf, type TextSize } from './sheets.ts';
import { cutToWidth, toCodes } from './text.ts';

const SIZE: TextSize = 15;
const CHARACTER_WIDTH = 6;
const PITCH = 18;
const PADDING_X = 5;
const PADDING_Y = 4;

/** Draws the text of a code that cannot be drawn, in a plain box with as many rows as fit, because a wrong code would be worse. */
export function placeNote(owner: ItemOwner, text: string, place: Rect): DrawnItem[] {
  const inside = inset(place, PADDING_X, PADDING_Y);
  const { capHeight } = sheetOf(SIZE);
  const perRow = Math.max(1, Math.floor(inside.width / CHARACTER_WIDTH));
  const mostRows = Math.max(1, Math.floor((inside.height - capHeight) / PITCH) + 1);
  const codes = toCodes(text);
  const rowCount = Math.min(mostRows, Math.max(1, Math.ceil(codes.length / perRow)));
  const height = (rowCount - 1) * PITCH + capHeight;
  const top = inside.y + Math.round((inside.height - height) / 2);
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const isLast = row === rowCount - 1;
    const part = codes.slice(row * perRow, isLast ? undefined : (row + 1) * perRow);
    const baseline = top + row * PITCH + capHeight;
    return placeText(owner, cutToWidth(part, SIZE, inside.width), SIZE, { x: inside.x, baseline, capHeight });
  });
  return [{ kind: 'frame', owner, border: 1, ...place }, ...rows];
}
