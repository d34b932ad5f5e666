const ELEMENTS = { bc: 'barcode', qr: 'qrcode', ic: 'icon' } as const;

export type EncodedElement = (typeof ELEMENTS)[keyof typeof ELEMENTS];

/**
 * A line that stands for another element: `\bc` and a barcode's text, `\qr` and a QR code's, `\ic` and an icon's name, in
 * either case. A code's text is taken to the letter, spaces included: a code says exactly what was asked. Undefined: a
 * line of text. Contract, section 4.
 */
export function readLineEncoding(line: string): { element: EncodedElement; text: string } | undefined {
  if (!line.startsWith('\\')) return undefined;
  const kind = line.slice(1, 3).toLowerCase();
  if (kind !== 'bc' && kind !== 'qr' && kind !== 'ic') return undefined;
  const text = line.slice(3);
  return { element: ELEMENTS[kind], text: kind === 'ic' ? text.trim() : text };
}
