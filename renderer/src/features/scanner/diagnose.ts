import { GS } from '#shared/lib/picking/gs.ts';
import { GAP_MS, type WedgeKey } from '../../scan/wedge.ts';
import type { Scan } from '../../scan/windowScans.ts';
import * as texts from '../../words/texts.ts';
import type { Sample } from './samples.ts';

export type Advice = { isFine: boolean; sentence: string };

/** A pause of this many milliseconds separates a scan, or a person's typing, from the next one. */
export const GROUP_MS = 500;
/** Maximum average interval between the keys of a scanner, in milliseconds. People usually type more slowly. */
const HASTE_MS = 120;

const words = texts.scanner.page.advice;

/** Returns the milliseconds between consecutive characters. */
export function pausesOf(keys: readonly WedgeKey[]): number[] {
  const typed = keys.filter(isTyped);
  return typed.slice(1).map(({ at }, index) => Math.round(at - (typed[index]?.at ?? at)));
}

/**
 * Returns advice on scanner settings for keys that were not recognized as a scan. The list is empty if a person typed
 * the keys.
 */
export function diagnoseKeys(keys: readonly WedgeKey[]): Advice[] {
  const pauses = pausesOf(keys);
  if (keys.some(({ repeat }) => repeat)) return [];
  if (keys.some(({ key }) => key === 'Unidentified' || key === 'Process')) return [wrong(texts.scanner.unreadable)];
  if (keys.length > 0 && keys.every(({ key }) => key === 'Enter')) return [wrong(words.onlyEnter)];
  if (pauses.length === 0) return [];
  const slowest = Math.max(...pauses);
  const average = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
  const characters = keys.filter((key) => isTyped(key) && key.key.length === 1).length;
  const isPrefixed = keys[0]?.key === 'Enter';
  const hasEnd = keys.some(({ key }, index) => (key === 'Enter' && index > 0) || key === 'Tab');
  if (characters === 1 && hasEnd && slowest < GAP_MS) return [wrong(words.oneKey)];
  if (characters < 3 || average > HASTE_MS) return [];
  return [
    ...(isPrefixed ? [wrong(words.prefixEnter)] : []),
    ...(slowest >= GAP_MS ? [wrong(words.slow(slowest))] : []),
    ...(hasEnd ? [] : [wrong(words.noEnd)]),
  ];
}

/** Returns advice on scanner settings that make scans like this one work on every page. `keys` has the keys of the scan. */
export function diagnoseScan(scan: Scan, samples: readonly Sample[], keys: readonly WedgeKey[] = []): Advice[] {
  if (keys.some(({ key }) => key === 'Unidentified' || key === 'Process')) return [wrong(texts.scanner.unreadable)];
  if (scan.source === 'keyboard' && keys[0]?.key === 'Enter') return [wrong(words.prefixEnter)];
  if (scan.note !== undefined) return [wrong(scan.note)];
  const code = scan.code
    .replace(/^\][A-Za-z]\d/, '')
    .replace(GS, '\0')
    .replace(/^\0/, '')
    .replace('\0', GS);
  if (samples.some(({ sent }) => sent === code)) return [{ isFine: true, sentence: words.fine }];
  if (samples.some(({ sent }) => sent.includes(GS) && sent.replaceAll(GS, '') === code)) return [wrong(words.noGs)];
  const whole = samples.find(({ sent }) => sent.length > code.length && isPartOf(code, sent));
  if (whole !== undefined) return [wrong(words.lost(code, whole.shown))];
  const within = samples.find(({ sent }) => code.includes(sent));
  return [within === undefined ? { isFine: true, sentence: words.otherScan } : wrong(words.around(within.shown))];
}

/** Whether all characters of a text appear in another one, in the same order. */
function isPartOf(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (char === part.charAt(at)) at += 1;
  return at === part.length;
}

function wrong(sentence: string): Advice {
  return { isFine: false, sentence };
}

function isTyped({ key }: WedgeKey): boolean {
  return key.length === 1 || key === 'Enter' || key === 'Tab' || key === 'Dead';
}
