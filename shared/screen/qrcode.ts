// oxlint-disable-next-line typescript/triple-slash-reference -- a package without types cannot be declared in a module
/// <reference path="./encoders.d.ts" />
import { create } from 'qrcode/lib/core/qrcode.js';

/** Version 3 for every code, so that all codes of a station have the same size and place. */
const VERSION = 3;
/** Number of modules per side in version 3. */
export const QR_MODULES = 29;
/** Quiet zone on all sides, in modules (ISO/IEC 18004). */
export const QR_QUIET_MODULES = 4;

/** Number of bytes that version 3 holds: at level M, which survives more damage and is used if the text fits, and at level L. */
const MAX_BYTES_M = 42;
export const MAX_QR_BYTES = 53;

export type Qrcode = {
  level: 'M' | 'L';
  /** Whether the module in this column and row, counted from the top left, is black. */
  isDark(x: number, y: number): boolean;
};

/** Encodes a text in UTF-8 as a QR code. Returns undefined if the text is empty, has more than 53 bytes, or contains a lone surrogate. */
export function encodeQrcode(text: string): Qrcode | undefined {
  if (text === '' || text.length > MAX_QR_BYTES || !text.isWellFormed()) return undefined;
  const data = new TextEncoder().encode(text);
  if (data.length > MAX_QR_BYTES) return undefined;
  const level = data.length > MAX_BYTES_M ? 'L' : 'M';
  // Use only byte mode, so that the limits above are exact and scanners do not have to join segments in different modes.
  const { modules } = create([{ data, mode: 'byte' }], { version: VERSION, errorCorrectionLevel: level });
  return { level, isDark: (x, y) => modules.get(y, x) !== 0 };
}
