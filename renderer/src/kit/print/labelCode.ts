import { BARCODE_QUIET_MODULES, encodeBarcode } from '#shared/screen/barcode.ts';
import { encodeQrcode, QR_MODULES, QR_QUIET_MODULES } from '#shared/screen/qrcode.ts';

/** Width and height in millimeters. */
export type Size = { width: number; height: number };

/** Space for a printed code: the size of a barcode, and the side length of a QR code, in millimeters. */
export type CodeBox = { barcode: Size; qrcode: number };

/** Width in millimeters of the narrowest bar and smallest square that printers and cheap scanners support. */
const MIN_MODULE_MM = 0.25;

/** A code on a label. `path` is an SVG path that draws the code, with the module as the unit and including the quiet zone. */
export type LabelCode =
  | { kind: 'barcode'; path: string; modules: number }
  | { kind: 'qrcode'; path: string; modules: number }
  | { kind: 'problem' };

/** Encodes the text as a barcode if it fits the space, or else as a QR code. */
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

/** Returns an SVG path of bars that are one module high. */
function barPath(modules: string): string {
  return [...modules.matchAll(/1+/g)]
    .map(({ index, 0: bar }) => `M${index + BARCODE_QUIET_MODULES} 0h${bar.length}v1h-${bar.length}z`)
    .join('');
}
