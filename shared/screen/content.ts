/** Size of the usual display in pixels (specification, "Display element rules"). */
export const SCREEN_WIDTH = 296;
export const SCREEN_HEIGHT = 128;
export const USUAL_SIZE = { width: SCREEN_WIDTH, height: SCREEN_HEIGHT } as const;

export const ARROWS = ['left', 'right', 'top', 'bottom', 'topleft', 'topright', 'bottomleft', 'bottomright'] as const;
export type Arrow = (typeof ARROWS)[number];

/** Maximum number of elements on a screen, and of graphics among them. */
export const MAX_ELEMENTS = 5;
export const MAX_BOXED_ELEMENTS = 2;
export const MAX_LINES = 5;
/** Maximum number of graphemes in a line. Graphemes are characters as people count them. */
export const MAX_LINE_CHARACTERS = 26;
/** Largest quantity that is drawn as a number. Larger quantities are drawn as `99+`. */
export const MAX_QUANTITY = 99;

/** The content of a screen. An empty text or null means that there is no such element. */
export type ScreenContent = {
  /** Label of the place, drawn at the top. It does not count as an element. */
  label: string;
  /** Up to 5 lines of up to 26 characters. An empty text leaves its line blank. Additional lines are not drawn. */
  lines: readonly string[];
  /** A whole number. Numbers above 99 are drawn as `99+`. */
  quantity: number | null;
  arrow: Arrow | null;
  barcode: string;
  qrcode: string;
  icon: string;
};

export type LineName = 'line1' | 'line2' | 'line3' | 'line4' | 'line5';
export type BoxedName = 'quantity' | 'qrcode' | 'arrow' | 'icon';
export type ElementName = LineName | BoxedName | 'barcode';

export const LINE_NAMES = ['line1', 'line2', 'line3', 'line4', 'line5'] as const satisfies readonly LineName[];

/** An empty screen, as a base for others. */
export const EMPTY_SCREEN: ScreenContent = {
  label: '',
  lines: [],
  quantity: null,
  arrow: null,
  barcode: '',
  qrcode: '',
  icon: '',
};

/** Returns the names of the graphics on a screen. At most `MAX_BOXED_ELEMENTS` fit. */
export function boxedElements(content: ScreenContent): BoxedName[] {
  const boxed: BoxedName[] = [];
  if (content.quantity !== null) boxed.push('quantity');
  if (content.qrcode !== '') boxed.push('qrcode');
  if (content.arrow !== null) boxed.push('arrow');
  if (content.icon !== '') boxed.push('icon');
  return boxed;
}

/** Returns the names of all elements, lines first. Label and battery read-out do not count. */
export function listElements(content: ScreenContent): ElementName[] {
  const lines = LINE_NAMES.filter((_, slot) => (content.lines[slot] ?? '') !== '');
  return [...lines, ...boxedElements(content), ...(content.barcode === '' ? [] : (['barcode'] as const))];
}

/** Returns the number of elements. At most `MAX_ELEMENTS` fit. */
export function countElements(content: ScreenContent): number {
  return listElements(content).length;
}
