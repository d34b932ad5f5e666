/** The fields of a request by their names, and their limits. Without zod: the window reads them too, and evaluates no code. */
export const LINE_FIELDS = ['line1', 'line2', 'line3', 'line4', 'line5'] as const;
export const STATIC_FIELDS = ['statica', 'staticb', 'staticc', 'staticd', 'statice'] as const;
/** Elements of a screen whose field is a text. */
export const TEXT_ELEMENTS = ['arrow', 'barcode', 'qrcode', 'icon'] as const;
export type TextElement = (typeof TEXT_ELEMENTS)[number];

/** Everything that a device shows while idle but its label, with nothing set: what a request sends to clear it. */
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

/** Longest time a command may stay lit: 30 days. Contract, section 4. */
export const MAX_SECONDS = 2_592_000;
/** Stock on hand is pushed as a quantity, so it may be far more than the 99 that are drawn. */
export const LARGEST_QUANTITY = 1_000_000_000;
