import { BARCODE_QUIET_MODULES, encodeBarcode } from '#shared/screen/barcode.ts';
import { encodeQrcode, QR_MODULES, QR_QUIET_MODULES } from '#shared/screen/qrcode.ts';

/** Width and height in millimeters. */
export type Size = { width: number; height: number };

/** Space for a printed code: for a barcode, and for the side of a QR code. */
export type CodeBox = { barcode: Size; qrcode: number };

/** The narrowest bar and smallest square that printers and cheap scanners support. */
const MIN_MODULE_MM = 0.25;

/** A code on a label. `path`: draws it in modules, including the quiet zone. */
export type LabelCode =
  | { kind: 'barcode'; path: string; modules: number }
  | { kind: 'qrcode'; path: string; modules: number }
  | { kind: 'problem' };

/** Encodes a barcode if it fits, or else a QR code. */
export function labelCode(text: string, format: CodeBox): LabelCode {
  const bars = encodeBarcode(text);
  const width = (bars?.length ?? 0) + 2 * BARCODE_QUIET_MODULES;
  if (bars !== undefined && width * MIN_MODULE_MM <= format.barcode.width) {
    return { kind: 'barcode', path: barPath(bars), modules: width };
  }
  const qrcode = encodeQrcode(text);
  if (qrcode === undefined) return { kind: 'problem' };
  let path = '';
  for (let y = 0; y < QR_MODULES; y += 1) {
    for (let x = 0; x < QR_MODULES; x += 1) {
      if (qrcode.isDark(x, y)) path += `M${x + QR_QUIET_MODULES} ${y + QR_QUIET_MODULES}h1v1h-1z`;
    }
  }
  return { kind: 'qrcode', path, modules: QR_MODULES + 2 * QR_QUIET_MODULES };
}

/** Returns a path with bars of one module height. */
function barPath(modules: string): string {
  return [...modules.matchAll(/1+/g)]
    .map(({ index, 0: bar }) => `M${index + BARCODE_QUIET_MODULES} 0h${bar.length}v1h-${bar.length}z`)
    .join('');
}
