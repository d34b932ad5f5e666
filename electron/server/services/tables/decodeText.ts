import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { StationError } from '../../errors.ts';
import { wordsThatDiffer } from './differingWords.ts';

/** Decoded text or, if its encoding is unknown, `words` that the likely encodings read differently. */
export type DecodedText =
  | { encoding: string; text: string }
  | { encoding: null; words: readonly Record<string, string>[] };

/** Number of bytes to decode or examine at once. */
const PART_BYTES = 16_384;
/** Number of bytes after which a part ends even if decoding is fast. */
const MOST_BYTES = 65_536;
const BYTE_ORDER_MARKS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const;
/** Tab, line feed, carriage return, comma, semicolon and vertical bar. Every table contains at least one of these bytes. */
const MARKS = new Set([0x09, 0x0a, 0x0d, 0x2c, 0x3b, 0x7c]);
/** Characters that TextDecoder returns for bytes that a single-byte encoding leaves undefined. */
const NO_CHARACTER = /[\u0080-\u009F\uFFFD]/;

const SAVE_AGAIN = 'Save it as "CSV UTF-8", or as .xlsx.';

/**
 * Decodes text without replacing invalid bytes: as UTF-16 if a byte order mark or null bytes indicate it, as UTF-8 if all bytes are valid,
 * and otherwise with `encoding`, a label for TextDecoder. Throws `invalid` if the bytes are invalid in that encoding.
 */
export function* decodeText(bytes: Uint8Array, encoding: string | null): InParts<DecodedText> {
  const named = encoding === null ? null : decoderOf(encoding).encoding;
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  if (marked !== undefined) {
    const text = yield* decodeAs(bytes, marked);
    if (text === undefined)
      throw invalid(`The file is damaged: it begins as ${nameOf(marked)}, but ${misfitOf(marked)}`);
    return { encoding: marked, text };
  }
  if (bytes.includes(0)) {
    const wide = yield* wideEncoding(bytes);
    const text = wide === undefined ? undefined : yield* decodeAs(bytes, wide);
    if (wide !== undefined && text !== undefined) return { encoding: wide, text };
    throw invalid(`The file is not text, or it is damaged: it has null bytes. ${SAVE_AGAIN}`);
  }
  const utf8 = yield* decodeAs(bytes, 'utf-8');
  if (utf8 !== undefined) return { encoding: 'utf-8', text: utf8 };
  if (yield* isCutOff(bytes)) {
    throw invalid('The file ends in the middle of a character. It is incomplete: export or transfer it again.');
  }
  if (named === null) return { encoding: null, words: yield* wordsThatDiffer(bytes) };
  const text = named === 'utf-8' ? undefined : yield* decodeAs(bytes, named, (part) => !NO_CHARACTER.test(part));
  if (text === undefined) {
    const place = named === 'utf-8' ? misfitOf('utf-8') : 'it has bytes that are not characters of this encoding.';
    throw invalid(
      `The file is not ${nameOf(named)}: ${place} Give the encoding that it was saved in. Or: ${SAVE_AGAIN}`,
    );
  }
  return { encoding: named, text };
}

/** Creates a decoder. Throws `invalid` for a label that TextDecoder does not know. */
function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw invalid(
      `The encoding ${JSON.stringify(label.slice(0, 40))} is not known. Use a name such as utf-8, windows-1252, windows-1250 or shift_jis.`,
      '/encoding',
    );
  }
}

/** Decodes the bytes. Returns undefined if they are invalid in this encoding, or if `fits` rejects part of the text. */
function* decodeAs(
  bytes: Uint8Array,
  encoding: string,
  fits: (part: string) => boolean = () => true,
): InParts<string | undefined> {
  const pace = createPace();
  const decoder = new TextDecoder(encoding, { fatal: true });
  const parts: string[] = [];
  try {
    for (let from = 0; from < bytes.length; from += PART_BYTES) {
      const part = decoder.decode(bytes.subarray(from, from + PART_BYTES), { stream: true });
      if (!fits(part)) return undefined;
      parts.push(part);
      if (from % MOST_BYTES === 0 || pace.isDue()) yield* pace.rest();
    }
    const last = decoder.decode();
    if (!fits(last)) return undefined;
    parts.push(last);
  } catch {
    return undefined;
  }
  return parts.join('');
}

/**
 * Detects UTF-16 and its byte order by the null bytes next to separators and line ends. Returns undefined if the null bytes come from
 * damage.
 */
function* wideEncoding(bytes: Uint8Array): InParts<'utf-16le' | 'utf-16be' | undefined> {
  const marks = { 'utf-16le': 0, 'utf-16be': 0 };
  const pace = createPace();
  let others = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at % PART_BYTES === 0 && pace.isDue()) yield* pace.rest();
    const byte = bytes[at] ?? 0;
    if (!MARKS.has(byte)) continue;
    const isFirst = at % 2 === 0;
    if (bytes[isFirst ? at + 1 : at - 1] !== 0) others += 1;
    else marks[isFirst ? 'utf-16le' : 'utf-16be'] += 1;
  }
  const [likelier, other]: ['utf-16le' | 'utf-16be', number] =
    marks['utf-16le'] > marks['utf-16be'] ? ['utf-16le', marks['utf-16be']] : ['utf-16be', marks['utf-16le']];
  return marks[likelier] > 2 * (others + other) ? likelier : undefined;
}

/**
 * Whether the bytes are UTF-8 with an incomplete last character. At least one more non-ASCII character is required, because a single letter
 * at the end of a file in another encoding looks the same.
 */
function* isCutOff(bytes: Uint8Array): InParts<boolean> {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  let hasOthers = false;
  const whole = yield* decodeAs(bytes.subarray(0, end - 1), 'utf-8', (part) => {
    hasOthers ||= /[^\0-\u007F]/.test(part);
    return true;
  });
  return whole !== undefined && hasOthers;
}

function misfitOf(encoding: string): string {
  return encoding === 'utf-8'
    ? 'some bytes are not UTF-8. Export it again.'
    : 'it is cut off or has half a character. Export it again.';
}

function nameOf(encoding: string): string {
  return encoding.startsWith('utf-16') ? 'UTF-16' : encoding.replace(/^utf-8$/, 'UTF-8');
}

function invalid(message: string, path?: string): StationError {
  return new StationError('invalid', message, path === undefined ? [] : [{ path, message }]);
}
