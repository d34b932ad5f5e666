const ELEMENTS = { bc: 'barcode', qr: 'qrcode', ic: 'icon' } as const;

/**
 * A line that stands for another element: `\bc` and a barcode's text, `\qr` and a QR code's, `\ic` and an icon's name.
 * Undefined: a line of text. Contract, section 4.
 */
export function readLineEncoding(line: string): { element: 'barcode' | 'qrcode' | 'icon'; text: string } | undefined {
  const [, kind, text] = /^\\(bc|qr|ic)(.*)$/s.exec(line) ?? [];
  if (kind !== 'bc' && kind !== 'qr' && kind !== 'ic') return undefined;
  return { element: ELEMENTS[kind], text: (text ?? '').trim() };
}
