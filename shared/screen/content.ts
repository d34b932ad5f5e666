/** Size of the display in pixels (specification, "Display element rules"). */
export const SCREEN_WIDTH = 296;
export const SCREEN_HEIGHT = 128;
export const USUAL_SIZE = { width: SCREEN_WIDTH, height: SCREEN_HEIGHT } as const;

export const ARROWS = ['left', 'right', 'top', 'bottom', 'topleft', 'topright', 'bottomleft', 'bottomright'] as const;
export type Arrow = (typeof ARROWS)[number];

/** Maximum elements of a screen, and maximum that need the graphic area. */
export const MAX_ELEMENTS = 5;
export const MAX_BOXED_ELEMENTS = 2;
export const MAX_LINES = 5;
/** Characters as a reader counts them (graphemes). */
export const MAX_LINE_CHARACTERS = 26;
/** Larger quantities are drawn as `99+`. */
export const MAX_QUANTITY = 99;

/** Content of a screen, before it is drawn. Empty string or null: absent. */
export type ScreenContent = {
  /** Location label, top left. Does not count as an element. */
  label: string;
  /** At most 5, each at most 26 characters; '' keeps its slot empty. Further lines are not drawn. */
  lines: readonly string[];
  /** A whole number; over 99 it is drawn as `99+`. */
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

/** An empty screen, to build others from. */
export const EMPTY_SCREEN: ScreenContent = {
  label: '',
  lines: [],
  quantity: null,
  arrow: null,
  barcode: '',
  qrcode: '',
  icon: '',
};

/** Names of the elements that need the graphic area. More than `MAX_BOXED_ELEMENTS` do not fit. */
export function boxedElements(content: ScreenContent): BoxedName[] {
  const boxed: BoxedName[] = [];
  if (content.quantity !== null) boxed.push('quantity');
  if (content.qrcode !== '') boxed.push('qrcode');
  if (content.arrow !== null) boxed.push('arrow');
  if (content.icon !== '') boxed.push('icon');
  return boxed;
}

/** Names of all elements, lines first. Label and battery read-out are not elements. */
export function listElements(content: ScreenContent): ElementName[] {
  const lines = LINE_NAMES.filter((_, slot) => (content.lines[slot] ?? '') !== '');
  return [...lines, ...boxedElements(content), ...(content.barcode === '' ? [] : (['barcode'] as const))];
}

/** Number of used element slots. More than `MAX_ELEMENTS` do not fit. */
export function countElements(content: ScreenContent): number {
  return listElements(content).length;
}
