import { expect, test } from 'vitest';
import { parseFrames, sendFrames } from './frames/run.ts';

/**
 * FUZZ_FRAMES is the total number of frames, FUZZ_OF_A_STATION the number of frames per station, and FUZZ_FIRST_SEED the first seed.
 * FUZZ_SEED runs only this seed.
 */
const { FUZZ_FRAMES = '20000', FUZZ_OF_A_STATION = '10000', FUZZ_FIRST_SEED = '1', FUZZ_SEED } = process.env;

const OF_A_STATION = Number(FUZZ_OF_A_STATION);
const SEEDS =
  FUZZ_SEED === undefined
    ? Array.from({ length: Math.ceil(Number(FUZZ_FRAMES) / OF_A_STATION) }, (_, at) => Number(FUZZ_FIRST_SEED) + at)
    : [Number(FUZZ_SEED)];
/** Timeout per test. It is long enough for a hundred thousand frames to one station while other programs run. */
const TIMEOUT_MS = 300_000;

test.each(SEEDS)(
  'frames never break the parser or the codec, and each byte is accounted for (seed %i)',
  (seed) => {
    expect(() => parseFrames(seed, OF_A_STATION)).not.toThrow();
  },
  TIMEOUT_MS,
);

test.each(SEEDS)(
  'frames never break a station or a turbo, or fill its memory (seed %i)',
  async (seed) => {
    await expect(sendFrames(seed, OF_A_STATION)).resolves.toBeUndefined();
  },
  TIMEOUT_MS,
);
