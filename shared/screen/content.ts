/** Size of the display in pixels (specification, "Display element rules"). */
export const SCREEN_WIDTH = 296;
export const SCREEN_HEIGHT = 128;

export const ARROWS = ['left', 'right', 'top', 'bottom', 'topleft', 'topright', 'bottomleft', 'bottomright'] as const;
export type Arrow = (typeof ARROWS)[number];

/** Most elements one screen can hold, and most of them that need a place in the graphic area. */
export const MAX_ELEMENTS = 5;
export const MAX_BOXED_ELEMENTS = 2;
export const MAX_LINES = 5;
/** Characters as a reader counts them (graphemes). */
export const MAX_LINE_CHARACTERS = 26;
/** A larger quantity is drawn as `99+`. */
export const MAX_QUANTITY = 99;

/** Everything a screen says, before it has pixels. Empty string or null: not there. */
export type ScreenContent = {
  /** Location label, top left. It takes no element slot. */
  label: string;
  /** At most 5, each at most 26 characters; '' keeps its slot empty. What is beyond is not drawn. */
  lines: readonly string[];
  /** A whole number; over 99 is drawn `99+`. */
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

/** A screen that says nothing: the start for building others. */
export const EMPTY_SCREEN: ScreenContent = {
  label: '',
  lines: [],
  quantity: null,
  arrow: null,
  barcode: '',
  qrcode: '',
  icon: '',
};

/** The elements of a screen that need the graphic area, by name. More than `MAX_BOXED_ELEMENTS` do not fit. */
export function boxedElements(content: ScreenContent): BoxedName[] {
  const boxed: BoxedName[] = [];
  if (content.quantity !== null) boxed.push('quantity');
  if (content.qrcode !== '') boxed.push('qrcode');
  if (content.arrow !== null) boxed.push('arrow');
  if (content.icon !== '') boxed.push('icon');
  return boxed;
}

/** Every element of a screen by name, lines first. The label and the battery read-out are not elements. */
export function listElements(content: ScreenContent): ElementName[] {
  const lines = LINE_NAMES.filter((_, slot) => (content.lines[slot] ?? '') !== '');
  return [...lines, ...boxedElements(content), ...(content.barcode === '' ? [] : (['barcode'] as const))];
}

/** How many of the five element slots a screen takes. More than `MAX_ELEMENTS` do not fit. */
export function countElements(content: ScreenContent): number {
  return listElements(content).length;
}
