import { type FileCell, textOf } from '../table.ts';
import { errorIn } from './faults.ts';

/** Text with a leading apostrophe, which keeps spreadsheets from running it as a formula or reading it as a number. */
const GUARDED = /^'+[\d=+\-@＝＋－＠\t\r\n]/;
/** The form in which exporters write digits so that spreadsheets do not read them as a number: `="0123"`. */
const QUOTED = /^="((?:[^"]|"")*)"$/;

/**
 * Returns the text of a cell without surrounding blanks, without an apostrophe before digits or formulas, and without a formula around a text
 * (`="0123"`). Refuses other formulas and spreadsheet errors. `isQuoted` tells whether the cell was a formula around a text, which spreadsheets
 * do not change.
 */
export function plainText(
  cell: FileCell | undefined,
): { ok: true; value: string; isQuoted: boolean } | { ok: false; message: string } {
  const text = textOf(cell);
  if (typeof cell === 'object' && cell.kind === 'fault') return { ok: false, message: cell.message };
  const error = errorIn(cell);
  if (error !== '') return { ok: false, message: error };
  const quoted = QUOTED.exec(text)?.[1];
  if (quoted !== undefined) return { ok: true, value: quoted.replaceAll('""', '"').trim(), isQuoted: true };
  if (GUARDED.test(text)) return { ok: true, value: text.slice(1).trim(), isQuoted: false };
  if (text.startsWith('=')) {
    return { ok: false, message: `"${shortened(text)}" is a formula. Save the file with values instead of formulas.` };
  }
  return { ok: true, value: text, isQuoted: false };
}

/** Returns a refused value. `message` is a sentence with the reason. */
export function refused(message: string): { ok: false; message: string } {
  return { ok: false, message };
}

const SHOWN_CHARACTERS = 60;
/** Maximum number of characters of a file that a list in a message repeats. */
const LISTED_CHARACTERS = 200;

/** Returns the first characters of a long text, for messages. */
export function shortened(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}

/** Returns the first of several texts, each shortened, for a list in a message. `hasMore` tells whether some are missing. */
export function firstTexts(texts: readonly string[], most: number): { shown: string[]; hasMore: boolean } {
  const shown: string[] = [];
  let characters = 0;
  for (const text of texts.slice(0, most)) {
    const part = shortened(text);
    characters += part.length;
    if (shown.length > 0 && characters > LISTED_CHARACTERS) break;
    shown.push(part);
  }
  return { shown, hasMore: shown.length < texts.length };
}
