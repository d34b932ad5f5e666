/** The time at which a tone began, and its pitch. */
export type HeardTone = { atMs: number; frequencyHz: number };

/** Minimum silence between two notes in milliseconds, far longer than a zero crossing. */
const QUIET_MS = 1.2;
const QUIET = 0.03;
const LOUD = 0.05;

/** Detects tones in samples: silences separate them, and counting waves gives their pitch. */
export function listenTo(samples: Int16Array, sampleRate: number): HeardTone[] {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const quietLength = (QUIET_MS * sampleRate) / 1_000;
  const tones: { from: number; to: number }[] = [];
  let quiet = Number.POSITIVE_INFINITY;
  let lastLoud = 0;
  for (const [index, sample] of samples.entries()) {
    const loudness = Math.abs(sample) / peak;
    if (loudness >= LOUD) {
      const open = tones.at(-1);
      if (quiet >= quietLength) tones.push({ from: index, to: index });
      else if (open !== undefined) open.to = index;
      lastLoud = index;
    }
    quiet = loudness < QUIET ? quiet + 1 : index === lastLoud ? 0 : quiet;
  }
  return tones.map(({ from, to }) => ({
    atMs: (from * 1_000) / sampleRate,
    frequencyHz: frequencyOf(samples.subarray(from, to + 1), sampleRate),
  }));
}

/** Returns the pitch, determined from the first and the last time that the wave rises through zero. */
function frequencyOf(samples: Int16Array, sampleRate: number): number {
  const rises: number[] = [];
  for (let index = 1; index < samples.length; index++) {
    const before = samples[index - 1] ?? 0;
    const after = samples[index] ?? 0;
    if (before < 0 && after >= 0) rises.push(index - after / (after - before));
  }
  const [first = 0] = rises;
  return ((rises.length - 1) * sampleRate) / ((rises.at(-1) ?? 0) - first);
}

/** Returns the strength of one frequency in the samples, where 1 is a full-scale sine (Goertzel). */
export function strengthOf(samples: Int16Array, frequencyHz: number, sampleRate: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * frequencyHz) / sampleRate);
  let [older, old] = [0, 0];
  for (const sample of samples) [older, old] = [old, sample / 32_767 + turn * old - older];
  return (2 * Math.sqrt(Math.max(0, old * old + older * older - turn * old * older))) / samples.length;
}

/** Reads a WAV file from its bytes. Throws where a player would fail. */
export function readWav(bytes: Uint8Array): { sampleRate: number; samples: Int16Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const expectMark = (at: number, mark: string) => {
    const found = String.fromCharCode(...bytes.subarray(at, at + 4));
    if (found !== mark) throw new Error(`"${found}" at ${at}, where "${mark}" is expected.`);
  };
  const expectNumber = (name: string, found: number, expected: number) => {
    if (found !== expected) throw new Error(`${name} is ${found}, where ${expected} is expected.`);
  };
  expectMark(0, 'RIFF');
  expectNumber('the size of the file', view.getUint32(4, true), bytes.length - 8);
  expectMark(8, 'WAVE');
  expectMark(12, 'fmt ');
  expectNumber('the size of the format', view.getUint32(16, true), 16);
  expectNumber('the format', view.getUint16(20, true), 1);
  expectNumber('the channels', view.getUint16(22, true), 1);
  const sampleRate = view.getUint32(24, true);
  expectNumber('the bytes a second', view.getUint32(28, true), sampleRate * 2);
  expectNumber('the bytes a sample', view.getUint16(32, true), 2);
  expectNumber('the bits a sample', view.getUint16(34, true), 16);
  expectMark(36, 'data');
  expectNumber('the size of the samples', view.getUint32(40, true), bytes.length - 44);
  const samples = Int16Array.from({ length: (bytes.length - 44) / 2 }, (_, index) =>
    view.getInt16(44 + index * 2, true),
  );
  return { sampleRate, samples };
}
