// oxlint-disable-next-line typescript/triple-slash-reference -- a package without types cannot be declared in a module
/// <reference path="./gs1Parser.d.ts" />
import { parseBarcode } from 'gs1-barcode-parser-mod';
import { GS } from './gs.ts';
import { articlesIn, type CodePart, readEnvelope, readIdentified } from '../articles/dataIdentifiers.ts';
import { checkDigitOf, expandUpcE, hasRightCheckDigit, isGtinLength, spellingsOfGtin } from '../articles/gtin.ts';
import { nameKey } from '../text/nameKey.ts';

export type ScanMeaning = {
  /** The scanned text, without surrounding spaces and control characters. */
  text: string;
  /** Texts to search for, in order of precedence, ignoring case and without repetitions. Empty if nothing was scanned. */
  candidates: readonly string[];
  /** Codes of articles to search for if no candidate is known: without the data identifier, or the UPC-A of a UPC-E. */
  fallbacks: readonly string[];
  /** AIM symbology identifier that the scanner sent before the code, such as `]C1`. Empty if there is none. */
  symbology: string;
  /** Application identifier 01 as 14 digits. Empty if the code does not contain it. */
  gtin: string;
  parts: readonly CodePart[];
  /** Whether the check digit is right, in the GTIN or in a text with the length of a GTIN. `none` if there is no such number. */
  checkDigit: 'right' | 'wrong' | 'none';
  /** The correct check digit. Empty if there is no such number. */
  expectedDigit: string;
};

/** Maximum number of characters to parse as a GS1 element string. A QR code can contain 7,089 characters, but a GS1 code has far fewer. */
const LONGEST_PARSED = 1_000;
/** Symbologies whose content is a GS1 element string: GS1-128, DataBar, DataMatrix, QR and DotCode. */
const GS1_SYMBOLOGIES = new Set([']C1', ']e0', ']e1', ']e2', ']d2', ']Q3', ']J1']);
const SYMBOLOGY = /^\][A-Za-z][0-9A-Za-z]/;
/** Control characters and spaces around a code, including GS1's separators. */
// oxlint-disable-next-line no-control-regex -- scanners send control characters as prefix and suffix
const EDGE = /[\x00-\x20\x7f]/;

/**
 * Returns the possible meanings of a scanned text. Supports GS1 element strings with FNC1 (after a symbology identifier, after a leading
 * FNC1, in brackets, or as bare digits), GS1 Digital Link addresses and the data identifiers of distributors. Serial numbers, lots and dates
 * are only in `parts`, because searches do not need them.
 */
export function readScan(scanned: string): ScanMeaning {
  const text = trimEdges(scanned);
  const symbology = SYMBOLOGY.exec(text)?.[0] ?? '';
  const whole = trimEdges(text.slice(symbology.length));
  const envelope = whole.length <= LONGEST_PARSED ? readEnvelope(whole) : undefined;
  const content = envelope?.isGs1 === true ? envelope.content : whole;
  const before = scanned.slice(0, scanned.indexOf(text));
  const isMarked = isGs1Symbology(symbology) || before.includes(GS) || envelope?.isGs1 === true;
  const mayBeGs1 = content.length <= LONGEST_PARSED && (isMarked || symbology === '');
  const gs1 = mayBeGs1 ? (readLink(content) ?? readElements(content, isMarked)) : readLink(content);
  const gtin = gs1?.gtin ?? '';
  const number = gtin === '' && isGtinLength(content) ? content : gtin;
  const upcA = gtin === '' ? expandUpcE(content) : undefined;
  const isRight = number !== '' && (upcA !== undefined || hasRightCheckDigit(number));
  const identified =
    content.length > LONGEST_PARSED || gs1 !== undefined ? [] : readIdentified(envelope?.content ?? content);
  return {
    text,
    candidates: distinct([text, whole, ...(gtin !== '' || isRight ? spellingsOfGtin(number) : [])]),
    fallbacks: distinct([...(upcA === undefined ? [] : spellingsOfGtin(upcA)), ...articlesIn(identified)]),
    symbology,
    gtin,
    parts: gs1?.parts ?? (envelope === undefined ? [] : identified),
    checkDigit: number === '' ? 'none' : isRight ? 'right' : 'wrong',
    expectedDigit: number === '' ? '' : isRight ? number.slice(-1) : checkDigitOf(number.slice(0, -1)),
  };
}

/** Whether a symbology identifier indicates a GS1 element string. */
export function isGs1Symbology(symbology: string): boolean {
  return GS1_SYMBOLOGIES.has(symbology);
}

type Gs1 = { gtin: string; parts: CodePart[] };

/**
 * Reads a GS1 element string. `isMarked` tells whether the scanner reported GS1. If not, and if the text has no brackets, the check digit
 * must be right, to exclude other numbers.
 */
function readElements(content: string, isMarked: boolean): Gs1 | undefined {
  const isSure = isMarked || content.startsWith('(');
  if (!isSure && !/01\d{14}/.test(content)) return undefined;
  const parts = parseParts(content);
  // If a scanner sends another character instead of FNC1, only the GTIN at the start can be read.
  const gtin = parts?.find(({ ai }) => ai === '01')?.value ?? /^(?:01|\(01\))(\d{14})/.exec(content)?.[1] ?? '';
  if (!isSure && (gtin === '' || !hasRightCheckDigit(gtin))) return undefined;
  return gtin === '' && parts === undefined
    ? undefined
    : { gtin, parts: parts ?? [{ ai: '01', title: 'GTIN', value: gtin }] };
}

function parseParts(content: string): CodePart[] | undefined {
  try {
    return parseBarcode(content).parsedCodeItems.map(({ ai, dataTitle, data, unit, isoDate }) => ({
      ai,
      title: dataTitle,
      value: isoDate === '' ? `${String(data)}${unit === '' ? '' : ` ${unit}`}` : isoDate,
    }));
  } catch {
    return undefined;
  }
}

/** Parses a GS1 Digital Link: `https://any.host/any/path/01/09501101020917/10/ABC?17=261231`. */
function readLink(content: string): Gs1 | undefined {
  if (!/^https?:\/\//i.test(content) || !URL.canParse(content)) return undefined;
  const { pathname, searchParams } = new URL(content);
  const steps = pathname.split('/');
  const at = steps.findIndex((step, index) => /^(?:01|gtin)$/i.test(step) && isGtinLength(steps[index + 1] ?? ''));
  if (at < 0) return undefined;
  const gtin = (steps[at + 1] ?? '').padStart(14, '0');
  const pairs = [['01', gtin]];
  for (let index = at + 2; index + 1 < steps.length; index += 2)
    pairs.push([steps[index] ?? '', steps[index + 1] ?? '']);
  const elements = [...pairs.map((pair) => pair.map(decoded)), ...searchParams].flatMap(([ai = '', value = '']) =>
    /^\d{2,4}$/.test(ai) ? { ai, title: '', value } : [],
  );
  const titled = parseParts(elements.map(({ ai, value }) => `(${ai})${value}`).join(''));
  return { gtin, parts: titled ?? elements };
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function trimEdges(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && EDGE.test(text.charAt(from))) from += 1;
  while (to > from && EDGE.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function distinct(codes: readonly string[]): string[] {
  return [...new Set(codes)].filter((code) => nameKey(code) !== '');
}
