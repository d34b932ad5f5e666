import { withSymbology } from './symbology.ts';

/** Usage page of barcode scanners, and the scanner usage on that page (USB "HID Point of Sale Usage Tables"). */
export const SCANNER_PAGE = 0x8c;
export const SCANNER_USAGE = 0x02;
const DATA_REPORT = 2;
/**
 * Layout of a report: one byte with the length, three characters of symbology identifier, the data, and a flag that
 * tells whether the code continues in the next report.
 */
const DATA_AT = 4;
const DATA_BYTES = 56;
const CONTINUES_AT = 62;

/** The part received so far of a code that is longer than one report. */
export type HidText = { bytes: readonly number[]; symbology: string };

export const NO_BYTES: HidText = { bytes: [], symbology: '' };

/** Handles an input report. Returns a code once the code is complete. Ignores other reports and invalid ones. */
export function nextReport(state: HidText, reportId: number, data: DataView): { state: HidText; code?: string } {
  if (reportId !== DATA_REPORT || data.byteLength <= DATA_AT) return { state };
  // Some scanners send one byte before the identifier.
  const shift = byteAt(data, 1) !== BRACKET && byteAt(data, 2) === BRACKET ? 1 : 0;
  const length = Math.min(byteAt(data, 0), DATA_BYTES);
  const bytes = Array.from({ length }, (_, index) => byteAt(data, DATA_AT + shift + index));
  const identifier = String.fromCharCode(...[1, 2, 3].map((index) => byteAt(data, index + shift)));
  const symbology = state.bytes.length > 0 ? state.symbology : identifier;
  const all = [...state.bytes, ...bytes];
  if ((byteAt(data, CONTINUES_AT) & 1) === 1) return { state: { bytes: all, symbology } };
  const text = new TextDecoder().decode(Uint8Array.from(all));
  // oxlint-disable-next-line no-control-regex -- removes the scanner's prefix and suffix, but not a leading GS, which means GS1
  const code = text.replace(/^[\0-\x1c\x1e\x1f]+/, '').replace(/[\0-\x20]+$/, '');
  return code === '' ? { state: NO_BYTES } : { state: NO_BYTES, code: withSymbology(symbology, code) };
}

const BRACKET = 0x5d;

function byteAt(data: DataView, index: number): number {
  return index < data.byteLength ? data.getUint8(index) : 0;
}
