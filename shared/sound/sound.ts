import { cutLine } from '../lib/text.ts';
import { findTune, TUNE_NAMES, TUNES } from './tunes.ts';

/** A tone, or with `frequencyHz` null a rest. */
export type Note = { frequencyHz: number | null; ms: number };

export type ParsedSound =
  | {
      ok: true;
      /** Milliseconds of one beat; 0 for silence. */
      tempoMs: number;
      notes: Note[];
      /** The same sound as tempo and note/duration pairs, lower case, every comma in its place; empty for silence. */
      encoding: string;
      warnings: string[];
    }
  | {
      ok: false;
      /** Whether it was meant as an encoding, or is a name that there is not. */
      kind: 'malformed' | 'unknown';
      message: string;
    };

/** What can be said instead of an encoding, for messages. */
export const SOUND_NAMES: readonly string[] = ['none', 'beep', ...TUNE_NAMES];

/** Sixteen bits on the wire; more than a minute a beat is a mistake anyway. */
const LARGEST_NUMBER = 65_535;
/** Far more than a turbo carries, spaces and superfluous zeros included: what is longer is not read. */
const LONGEST_TEXT = 10_000;
/** What is wrong in the same way so often is said for the first of them. */
const MAX_WARNINGS = 3;
const CONCERT_PITCH_HZ = 440;
/** A of octave 4, counted in semitones from C of octave 0. */
const CONCERT_PITCH_SEMITONE = 57;
const SEMITONES: Record<string, number> = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 };

/** A value of the comma-separated list, with its first character's number in the text, from 1. */
type Value = { text: string; position: number };

/**
 * Reads a sound: a tune's name, `none`, `beep`, or an encoding - tempo, then pairs of note and duration, such as
 * `140,c5,2,a5s,1,p,2` (specification, "Sound encoding"). A comma missing after a number (`2a5`) is put in, with a warning.
 * A message names the place of the mistake and what belongs there.
 */
export function parseSound(text: string): ParsedSound {
  if (text.length > LONGEST_TEXT) {
    return malformed(`The sound has ${text.length} characters, at most ${LONGEST_TEXT} are read. Send a shorter one.`);
  }
  const word = text.trim().toLowerCase();
  if (word === 'none') return { ok: true, tempoMs: 0, notes: [], encoding: '', warnings: [] };
  const known = word === 'beep' ? TUNES['Regular Beep'] : findTune(word);
  if (known !== undefined) return parseEncoding(known);
  // No name begins with a digit or has a comma.
  if (/^\d|,/.test(word)) return parseEncoding(text);
  return {
    ok: false,
    kind: 'unknown',
    message: `Unknown sound "${shorten(text.trim())}". Allowed: an encoding such as 140,c5,2,e5,2, or one of ${SOUND_NAMES.join(', ')}.`,
  };
}

function parseEncoding(text: string): ParsedSound {
  const { values, warnings } = splitValues(text);
  const [tempo, ...rest] = values;
  const tempoMs = readNumber(tempo);
  if (tempo === undefined || tempoMs === undefined) return wrong(tempo, 'the tempo, milliseconds a beat, 1 to 65535');
  if (rest.length === 0) {
    return malformed(
      `The sound has a tempo but no notes: at character ${endOf(tempo)} pairs of note and duration are expected, as in 140,c5,2.`,
    );
  }
  const notes: Note[] = [];
  for (let index = 0; index < rest.length; index += 2) {
    const note = rest[index];
    const duration = rest[index + 1];
    const frequencyHz = readNote(note);
    if (frequencyHz === undefined)
      return wrong(note, 'a note of the octaves 5 to 7, such as c5 or a5s, or p for a rest');
    if (note !== undefined && duration === undefined) {
      return malformed(
        `The sound ends after the note "${note.text}": at character ${endOf(note)} its duration in beats is expected.`,
      );
    }
    const beats = readNumber(duration);
    if (beats === undefined) return wrong(duration, 'a duration in whole beats, 1 to 65535');
    notes.push({ frequencyHz, ms: tempoMs * beats });
  }
  const encoding = values.map((value) => value.text.replace(/^0+(?=\d)/, '')).join(',');
  return { ok: true, tempoMs, notes, encoding, warnings };
}

function splitValues(text: string): { values: Value[]; warnings: string[] } {
  const values: Value[] = [];
  const warnings: string[] = [];
  let missing = 0;
  let position = 1;
  for (const part of text.split(',')) {
    const start = position + (part.length - part.trimStart().length);
    const word = part.trim().toLowerCase();
    const joined = /^(\d+)([a-z].*)$/.exec(word);
    if (joined?.[1] === undefined || joined[2] === undefined) {
      values.push({ text: word, position: start });
    } else {
      const secondAt = start + joined[1].length;
      values.push({ text: joined[1], position: start }, { text: joined[2], position: secondAt });
      missing += 1;
      if (missing <= MAX_WARNINGS) {
        warnings.push(
          `A comma was missing in the sound at character ${secondAt}: "${shorten(word)}" was read as "${shorten(`${joined[1]},${joined[2]}`)}".`,
        );
      }
    }
    position += part.length + 1;
  }
  if (missing > MAX_WARNINGS) {
    warnings.push(`So it was at ${missing - MAX_WARNINGS} more places of the sound.`);
  }
  return { values, warnings };
}

function readNumber(value: Value | undefined): number | undefined {
  if (value === undefined || !/^\d+$/.test(value.text)) return undefined;
  const number = Number(value.text);
  return number >= 1 && number <= LARGEST_NUMBER ? number : undefined;
}

function readNote(value: Value | undefined): number | null | undefined {
  if (value?.text === 'p') return null;
  const [, letter = '', octave = '', sharp] = /^([a-g])([5-7])(s?)$/.exec(value?.text ?? '') ?? [];
  const semitone = SEMITONES[letter];
  if (semitone === undefined) return undefined;
  const above = Number(octave) * 12 + semitone + (sharp === 's' ? 1 : 0) - CONCERT_PITCH_SEMITONE;
  return CONCERT_PITCH_HZ * 2 ** (above / 12);
}

function wrong(value: Value | undefined, expected: string): ParsedSound {
  const found = value === undefined || value.text === '' ? 'nothing' : `"${shorten(value.text)}"`;
  return malformed(`The sound has ${found} at character ${value?.position ?? 1}, where ${expected} is expected.`);
}

function malformed(message: string): ParsedSound {
  return { ok: false, kind: 'malformed', message };
}

/** The place behind a value, where the next one would begin. */
function endOf(value: Value): number {
  return value.position + value.text.length;
}

function shorten(text: string): string {
  return text.length <= 30 ? text : `${cutLine(text, 29)}…`;
}
