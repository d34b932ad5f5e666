import { LINE_FIELDS } from './deviceFields.ts';
import {
  boxedElements,
  listElements,
  MAX_BOXED_ELEMENTS,
  MAX_ELEMENTS,
  type ScreenContent,
} from '../screen/content.ts';
import { isTooLong } from './text.ts';

/** Longest text of a barcode and of a QR code where one screen has both and an icon. Contract, section 4. */
const MAX_CROWDED_CODE_CHARACTERS = 15;

/**
 * A one-line statement of what is too much for one screen, or undefined when it fits. `lineNames` are what the caller knows
 * its lines by.
 */
export function screenProblem(screen: ScreenContent, lineNames: readonly string[]): string | undefined {
  const boxed = boxedElements(screen);
  if (boxed.length > MAX_BOXED_ELEMENTS) {
    return `At most ${MAX_BOXED_ELEMENTS} of quantity, qrcode, arrow and icon fit one screen; this one has ${boxed.join(', ')}.`;
  }
  const elements = listElements(screen);
  if (elements.length > MAX_ELEMENTS) {
    const names = elements.map((name) => lineNames[LINE_FIELDS.findIndex((line) => line === name)] ?? name);
    return `At most ${MAX_ELEMENTS} elements fit one screen; this one has ${names.join(', ')}.`;
  }
  return crowdedProblem(screen);
}

function crowdedProblem(screen: ScreenContent): string | undefined {
  if (screen.barcode === '' || screen.qrcode === '' || screen.icon === '') return undefined;
  const long = (['barcode', 'qrcode'] as const).filter((code) => isTooLong(screen[code], MAX_CROWDED_CODE_CHARACTERS));
  if (long.length === 0) return undefined;
  return `On one screen with a barcode, a QR code and an icon a code may have at most ${MAX_CROWDED_CODE_CHARACTERS} characters. Too long: ${long.join(', ')}.`;
}
