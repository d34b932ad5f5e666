const ELEMENTS = { bc: 'barcode', qr: 'qrcode', ic: 'icon' } as const;

export type EncodedElement = (typeof ELEMENTS)[keyof typeof ELEMENTS];

/**
 * Reads a line that contains another element: `\bc` and the text of a barcode, `\qr` and the text of a QR code, or `\ic` and an icon name,
 * in upper or lower case. The text of a code is used exactly, including spaces. Returns undefined for a text line. See the
 * contract, section 4.
 */
export function readLineEncoding(line: string): { element: EncodedElement; text: string } | undefined {
  if (!line.startsWith('\\')) return undefined;
  const kind = line.slice(1, 3).toLowerCase();
  if (kind !== 'bc' && kind !== 'qr' && kind !== 'ic') return undefined;
  const text = line.slice(3);
  return { element: ELEMENTS[kind], text: kind === 'ic' ? text.trim() : text };
}
