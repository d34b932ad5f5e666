import type { TextElement } from './deviceFields.ts';
import {
  boxedElements,
  countElements,
  LINE_NAMES,
  listElements,
  MAX_BOXED_ELEMENTS,
  MAX_ELEMENTS,
  type ElementName,
  type ScreenContent,
} from '../../screen/content.ts';
import { isTooLong } from '../text/text.ts';

/** An element, its content, and the field that contains it. */
export type Source = { element: TextElement; value: string; field: string };

/** Maximum number of characters of a barcode on a screen with a QR code and an icon. See the contract, section 4. */
const MAX_CROWDED_BARCODE_CHARACTERS = 15;

/** An element that does not fit, and the exceeded limit. */
export type Surplus = { element: ElementName; limit: keyof typeof LIMITS };

/** Limits of a screen, as text for messages. */
export const LIMITS = {
  boxed: `at most ${MAX_BOXED_ELEMENTS} of quantity, qrcode, arrow and icon fit one screen`,
  elements: `at most ${MAX_ELEMENTS} elements fit one screen`,
} as const;

/** Elements in the order in which they are dropped. The quantity is never dropped, because it says how much to pick. */
const BOXED_FIRST: readonly ElementName[] = ['qrcode', 'icon', 'arrow'];
const FIRST: readonly ElementName[] = ['barcode', ...BOXED_FIRST, ...LINE_NAMES.toReversed()];

/** Returns the part of a screen that can be drawn, and the dropped elements. See the contract, section 4. */
export function fitScreen(screen: ScreenContent): { screen: ScreenContent; surplus: Surplus[] } {
  const surplus: Surplus[] = [];
  if (boxedElements(screen).length <= MAX_BOXED_ELEMENTS && countElements(screen) <= MAX_ELEMENTS) {
    return { screen, surplus };
  }
  let fitted = screen;
  for (const element of BOXED_FIRST) {
    const boxed: readonly ElementName[] = boxedElements(fitted);
    if (boxed.length <= MAX_BOXED_ELEMENTS || !boxed.includes(element)) continue;
    fitted = without(fitted, element);
    surplus.push({ element, limit: 'boxed' });
  }
  for (const element of FIRST) {
    const elements = listElements(fitted);
    if (elements.length <= MAX_ELEMENTS || !elements.includes(element)) continue;
    fitted = without(fitted, element);
    surplus.push({ element, limit: 'elements' });
  }
  return { screen: fitted, surplus };
}

function without(screen: ScreenContent, element: ElementName): ScreenContent {
  const slot = LINE_NAMES.findIndex((name) => name === element);
  if (slot === -1) return { ...screen, [element]: element === 'arrow' ? null : '' };
  return { ...screen, lines: trimEnd(screen.lines.map((line, index) => (index === slot ? '' : line))) };
}

/** Removes empty lines at the end. */
export function trimEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

/** Explains why the barcode is too long next to a QR code and an icon. Returns undefined if the barcode is short enough. */
export function crowdedProblem(sources: readonly Source[]): string | undefined {
  const allOf = (wanted: TextElement) => sources.filter(({ element }) => element === wanted);
  if (allOf('qrcode').length === 0 || allOf('icon').length === 0) return undefined;
  if (!allOf('barcode').some(({ value }) => isTooLong(value, MAX_CROWDED_BARCODE_CHARACTERS))) return undefined;
  return `Beside a QR code and an icon, a barcode can have at most ${MAX_CROWDED_BARCODE_CHARACTERS} characters. Send a shorter one, or leave out the QR code or the icon.`;
}
