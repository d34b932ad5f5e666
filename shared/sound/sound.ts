import { cutLine } from '../lib/text/text.ts';
import { findTune, TUNE_NAMES, TUNES } from './tunes.ts';

/** A tone, or a rest if `frequencyHz` is null. */
export type Note = { frequencyHz: number | null; ms: number };

export type ParsedSound =
  | {
      ok: true;
      /** Milliseconds per beat; 0 for silence. */
      tempoMs: number;
      notes: Note[];
      /** The canonical encoding in lower case: tempo, then pairs of a note and its duration. Empty for silence. */
      encoding: string;
      warnings: string[];
    }
  | {
      ok: false;
      /** `malformed` is an encoding with an error, and `unknown` is a name that does not belong to a sound. */
      kind: 'malformed' | 'unknown';
      message: string;
    };

/** Names that are accepted instead of an encoding, for messages. */
export const SOUND_NAMES: readonly string[] = ['none', 'beep', ...TUNE_NAMES];

/** Largest number in a sound, because messages to devices use 16 bits. More than a minute per beat would be a mistake anyway. */
const LARGEST_NUMBER = 65_535;
/** Maximum number of characters in a sound's text, far more than a turbo can send, even with extra spaces and leading zeros. */
const LONGEST_TEXT = 10_000;
/** Maximum number of warnings of the same kind. */
const MAX_WARNINGS = 3;
const CONCERT_PITCH_HZ = 440;
/** Number of semitones from C of octave 0 to A of octave 4. */
const CONCERT_PITCH_SEMITONE = 57;
const SEMITONES = new Map(Object.entries<number>({ c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 }));

/** A value in the comma-separated list. `position` is the position of its first character, counted from 1. */
type Value = { text: string; position: number };

/**
 * Parses a sound: the name of a tune, `none`, `beep`, or an encoding. An encoding is the tempo, then pairs of a note and its duration, such
 * as `140,c5,2,a5s,1,p,2` (specification, "Sound encoding"). Inserts a missing comma after a number (`2a5`), with a warning. Messages
 * contain the position of the error and what is expected.
 */
export function parseSound(text: string): ParsedSound {
  if (text.length > LONGEST_TEXT) {
    return malformed(`The sound has ${text.length} characters; the maximum is ${LONGEST_TEXT}. Send a shorter one.`);
  }
  const word = text.trim().toLowerCase();
  if (word === 'none') return { ok: true, tempoMs: 0, notes: [], encoding: '', warnings: [] };
  const known = word === 'beep' ? TUNES['Regular Beep'] : findTune(word);
  if (known !== undefined) return parseEncoding(known);
  // Names do not begin with a digit or contain a comma.
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
    warnings.push(`${missing - MAX_WARNINGS} more commas were missing in the sound.`);
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
  const semitone = SEMITONES.get(letter);
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

/** Returns the position after the last character of a value. */
function endOf(value: Value): number {
  return value.position + value.text.length;
}

function shorten(text: string): string {
  return text.length <= 30 ? text : `${cutLine(text, 29)}…`;
}
