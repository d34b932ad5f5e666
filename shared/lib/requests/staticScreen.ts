import type { Arrow, ScreenContent } from '../../screen/content.ts';
import type { FieldError } from '../../api/problem.ts';
import { STATIC_FIELDS, TEXT_ELEMENTS } from './deviceFields.ts';
import type { StaticChanges } from './deviceRequest.ts';
import { chooseElements, doubledFault, given, readStoredLine, surplusFaults } from './screenElements.ts';
import { crowdedProblem, fitScreen, type Source, trimEnd } from './screenLimits.ts';

/** Stored statics of a device: lines as sent, and the elements that have their own field. */
export type Statics = Readonly<Record<(typeof STATIC_FIELDS)[number], string>> &
  Readonly<{ arrow: Arrow | '' | null; barcode: string; qrcode: string; icon: string; quantity: number | null }>;

/** Result of validating statics: why they are refused, or undefined, and the parts that are not drawn. */
export type CheckedStatics = { problem: string | undefined; leftOut: FieldError[] };

/** Returns the screen of a device with these statics, without the parts that do not fit. */
export function staticScreen(statics: Statics, label: string): ScreenContent {
  return fitScreen(compose(statics, label).screen).screen;
}

/** Validates changed statics. Reports duplicate elements only if the changes affect them. */
export function checkStatics(statics: Statics, changes: StaticChanges): CheckedStatics {
  const { screen, sources } = compose(statics, '');
  const { doubled, chosen } = chooseElements(sources);
  const isNew = (...among: Source[]): boolean => among.some(({ field }) => field in changes);
  const leftOut = [
    ...doubled.filter(({ shown, hidden }) => isNew(shown, hidden)).map(doubledFault),
    ...surplusFaults(fitScreen(screen).surplus, chosen, STATIC_FIELDS),
  ];
  return { problem: crowdedProblem(sources), leftOut };
}

/** Returns the screen of these statics, even if it does not fit. */
function compose(statics: Statics, label: string): { screen: ScreenContent; sources: Source[] } {
  const sources: Source[] = [];
  const lines: string[] = [];
  for (const field of STATIC_FIELDS) {
    const { text, source } = readStoredLine(statics[field], field);
    lines.push(text);
    if (source !== undefined) sources.push(source);
  }
  for (const element of TEXT_ELEMENTS) {
    const value = statics[element];
    if (given(value)) sources.push({ element, value, field: element });
  }
  const { quantity } = statics;
  return { screen: { label, lines: trimEnd(lines), quantity, ...chooseElements(sources).elements }, sources };
}
