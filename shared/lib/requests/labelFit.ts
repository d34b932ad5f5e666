import { EMPTY_SCREEN } from '../../screen/content.ts';
import { layout } from '../../screen/layout.ts';
import { toCodes } from '../../screen/text.ts';

/** Maximum number of characters to measure, more than fits in any size. */
const MAX_CHARACTERS = 80;
const FULL = ['x', 'x', 'x', 'x', 'x'];
const WITH_READ_OUT = { firmware: 70, batteryMv: 3_000 };

/**
 * Whether a label does not fit on a full screen next to the battery read-out. On a screen with fewer lines, the label can use a second row.
 */
export function isLabelCut(label: string): boolean {
  const codes = toCodes(label);
  if (codes.length > MAX_CHARACTERS) return true;
  const placed = layout({ ...EMPTY_SCREEN, label, lines: FULL }, WITH_READ_OUT).items.flatMap((item) =>
    item.kind === 'text' && item.owner === 'label' ? item.codes : [],
  );
  return placed.join() !== codes.join();
}
