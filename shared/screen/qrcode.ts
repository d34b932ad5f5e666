// oxlint-disable-next-line typescript/triple-slash-reference -- a package without types cannot be declared in a module
/// <reference path="./encoders.d.ts" />
import { create } from 'qrcode/lib/core/qrcode.js';

/** Version 3, whatever the text: every code of a station looks alike and stands in the same place. */
const VERSION = 3;
/** Modules on a side of a code of version 3. */
export const QR_MODULES = 29;
/** White that a reader needs on all sides, in modules (ISO/IEC 18004). */
export const QR_QUIET_MODULES = 4;

/** What a code of version 3 holds in bytes. Level M survives more damage and is taken as long as the text fits. */
const MAX_BYTES_M = 42;
export const MAX_QR_BYTES = 53;

export type Qrcode = {
  level: 'M' | 'L';
  /** Whether the module in this column and row, from the top left, is black. */
  isDark(x: number, y: number): boolean;
};

/**
 * A text as QR code, in UTF-8. Undefined for what it cannot say exactly: an empty text, more than 53 bytes, half a
 * character (a lone surrogate).
 */
export function encodeQrcode(text: string): Qrcode | undefined {
  if (text === '' || text.length > MAX_QR_BYTES || !text.isWellFormed()) return undefined;
  const data = new TextEncoder().encode(text);
  if (data.length > MAX_QR_BYTES) return undefined;
  const level = data.length > MAX_BYTES_M ? 'L' : 'M';
  // Bytes throughout: the limits above are then exact, and no reader has to join parts of different kinds.
  const { modules } = create([{ data, mode: 'byte' }], { version: VERSION, errorCorrectionLevel: level });
  return { level, isDark: (x, y) => modules.get(y, x) !== 0 };
}
