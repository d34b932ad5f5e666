/** Field names and limits of requests. No zod in this file, because the page imports it and forbids code evaluation. */
export const LINE_FIELDS = ['line1', 'line2', 'line3', 'line4', 'line5'] as const;
export const STATIC_FIELDS = ['statica', 'staticb', 'staticc', 'staticd', 'statice'] as const;
/** Screen elements with a text field. */
export const TEXT_ELEMENTS = ['arrow', 'barcode', 'qrcode', 'icon'] as const;
export type TextElement = (typeof TEXT_ELEMENTS)[number];

/** Values that clear all static content of a device except the label. */
export const NO_STATICS = {
  statica: '',
  staticb: '',
  staticc: '',
  staticd: '',
  statice: '',
  arrow: '',
  barcode: '',
  qrcode: '',
  icon: '',
  quantity: null,
} as const satisfies Record<(typeof STATIC_FIELDS | typeof TEXT_ELEMENTS)[number], ''> & { quantity: null };

/** Maximum time in seconds for which a command stays lit: 30 days. See the contract, section 4. */
export const MAX_SECONDS = 2_592_000;
/** Maximum quantity. A stock level can be far above 99, the highest number that is drawn. */
export const LARGEST_QUANTITY = 1_000_000_000;
