import { EMPTY_SCREEN } from '../screen/content.ts';
import { layout } from '../screen/layout.ts';
import { toCodes } from '../screen/text.ts';

/** More than any size has room for, and far less than takes time to measure. */
const MAX_CHARACTERS = 80;
const FULL = ['x', 'x', 'x', 'x', 'x'];
const WITH_READ_OUT = { firmware: 70, batteryMv: 3_000 };

/** Whether a full screen has no room for all of a label, the battery read-out beside it. With fewer lines it may have a second row. */
export function isLabelCut(label: string): boolean {
  const codes = toCodes(label);
  if (codes.length > MAX_CHARACTERS) return true;
  const placed = layout({ ...EMPTY_SCREEN, label, lines: FULL }, WITH_READ_OUT).items.flatMap((item) =>
    item.kind === 'text' && item.owner === 'label' ? item.codes : [],
  );
  return placed.join() !== codes.join();
}
