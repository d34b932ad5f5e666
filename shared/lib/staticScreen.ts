import type { Arrow, ScreenContent } from '../screen/content.ts';
import type { FieldError } from '../api/problem.ts';
import { STATIC_FIELDS, TEXT_ELEMENTS } from './deviceFields.ts';
import type { StaticChanges } from './deviceRequest.ts';
import { chooseElements, doubledFault, given, readStoredLine, surplusFaults, type Source } from './screenElements.ts';
import { crowdedProblem, fitScreen, trimEnd } from './screenLimits.ts';

/** The statics of a device as they are stored: each line as it was sent, and the elements that have a field of their own. */
export type Statics = Readonly<Record<(typeof STATIC_FIELDS)[number], string>> &
  Readonly<{ arrow: Arrow | '' | null; barcode: string; qrcode: string; icon: string; quantity: number | null }>;

/** What statics come to: why they are refused, and what of them is not drawn. */
export type JudgedStatics = { problem: string | undefined; leftOut: FieldError[] };

/** What a device with these statics shows: as much of them as fits one screen. */
export function staticScreen(statics: Statics, label: string): ScreenContent {
  return fitScreen(compose(statics, label).screen).screen;
}

/** Judges statics after these changes. Of elements that are given twice only those that changed are named. */
export function judgeStatics(statics: Statics, changes: StaticChanges): JudgedStatics {
  const { screen, sources } = compose(statics, '');
  const { doubled, chosen } = chooseElements(sources);
  const isNew = (...among: Source[]): boolean => among.some(({ field }) => field in changes);
  const leftOut = [
    ...doubled.filter(({ shown, hidden }) => isNew(shown, hidden)).map(doubledFault),
    ...surplusFaults(fitScreen(screen).surplus, chosen, STATIC_FIELDS),
  ];
  return { problem: crowdedProblem(sources), leftOut };
}

/** All that these statics say, whether it fits or not. */
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
