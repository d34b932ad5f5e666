import { createPace, type InParts } from '#shared/lib/station/inParts.ts';

/** Encodings to choose from: those of Excel in Western Europe, Excel in Central Europe, and old Macs. */
const CANDIDATES = ['windows-1252', 'windows-1250', 'macintosh'] as const;

const MAX_WORDS = 10;
/** Maximum number of words with non-ASCII bytes to examine. */
const MAX_TRIED = 1_000;
const MAX_WORD_BYTES = 60;
/** Number of bytes to examine at once. */
const PART_BYTES = 16_384;
/** Characters that TextDecoder returns for bytes that a single-byte encoding leaves undefined. */
const NO_CHARACTER = /[\u0080-\u009F\uFFFD]/;

/**
 * Lists words with non-ASCII bytes as each candidate encoding reads them. Omits candidates, except the first, that leave one of the bytes
 * undefined or read the whole file like an earlier one.
 */
export function* wordsThatDiffer(bytes: Uint8Array): InParts<Record<string, string>[]> {
  const pace = createPace();
  const words = new Map<string, Uint8Array>();
  const used = new Uint8Array(256);
  let start = 0;
  let tried = 0;
  let isForeign = false;
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at % PART_BYTES === 0 && pace.isDue()) yield* pace.rest();
    const byte = bytes[at];
    if (byte !== undefined && !endsWord(byte)) {
      if (byte < 0x80) continue;
      isForeign = true;
      used[byte] = 1;
      continue;
    }
    if (isForeign && words.size < MAX_WORDS && tried < MAX_TRIED) {
      tried += 1;
      const word = bytes.subarray(start, Math.min(at, start + MAX_WORD_BYTES));
      words.set(Buffer.from(word).toString('latin1'), word);
    }
    start = at + 1;
    isForeign = false;
  }
  const all = Uint8Array.from(used.keys()).filter((byte) => used[byte] === 1);
  const readings = CANDIDATES.map((each) => new TextDecoder(each).decode(all));
  const fitting = CANDIDATES.filter((_, index) => {
    const reading = readings[index] ?? '';
    return index === 0 || (!NO_CHARACTER.test(reading) && readings.indexOf(reading) === index);
  });
  return [...words.values()].map((word) =>
    Object.fromEntries(fitting.map((each) => [each, new TextDecoder(each).decode(word)])),
  );
}

/** Whether the byte ends a word: a blank, a quote or a separator. */
function endsWord(byte: number): boolean {
  return byte <= 0x20 || byte === 0x22 || byte === 0x2c || byte === 0x3b || byte === 0x7c;
}
