import type { Note } from './sound.ts';

/** Maximum duration to render, in milliseconds. `15,c5,65535` is a tone of 16 minutes, which would take 80 MB. */
export const LONGEST_RENDERED_MS = 60_000;

/** Duration of the ramps at the start and end of a note: long enough to avoid clicks and to separate two equal notes. */
const ATTACK_MS = 4;
const RELEASE_MS = 14;
/** Half of the full amplitude, so that simultaneous sounds clip less. */
const PEAK = 0.5 * 32_767;

/**
 * Timbre of a small piezo speaker, softened: the odd harmonics of a square wave, each much weaker than in that wave. Harmonics that are too
 * high for the sample rate are omitted.
 */
const HARMONICS = [
  { times: 1, strength: 1 },
  { times: 3, strength: 0.2 },
  { times: 5, strength: 0.07 },
  { times: 7, strength: 0.03 },
] as const;
const HIGHEST_PART = 0.45;

const TABLE_SIZE = 2_048;

/** Returns the duration of a sound in milliseconds. */
export function soundLengthMs(notes: readonly Note[]): number {
  return notes.reduce((sum, { ms }) => sum + ms, 0);
}

/** Renders notes as mono samples, as a device plays them. The samples last exactly as long as the notes, up to `LONGEST_RENDERED_MS`. */
export function renderSamples(notes: readonly Note[], { sampleRate }: { sampleRate: number }): Int16Array<ArrayBuffer> {
  const lengthMs = Math.min(soundLengthMs(notes), LONGEST_RENDERED_MS);
  const samples = new Int16Array(sampleAt(lengthMs, sampleRate));
  const waves = new Map<number, Float64Array>();
  let fromMs = 0;
  for (const { frequencyHz, ms } of notes) {
    if (fromMs >= lengthMs) break;
    const untilMs = Math.min(fromMs + ms, lengthMs);
    // Count samples from the start of the sound, so that rounding errors do not accumulate.
    const part = samples.subarray(sampleAt(fromMs, sampleRate), sampleAt(untilMs, sampleRate));
    if (frequencyHz !== null) {
      const parts = partsBelow((sampleRate * HIGHEST_PART) / frequencyHz);
      const wave = waves.get(parts) ?? oneWave(parts);
      waves.set(parts, wave);
      renderTone(part, wave, frequencyHz, sampleRate);
    }
    fromMs = untilMs;
  }
  return samples;
}

function sampleAt(ms: number, sampleRate: number): number {
  return Math.round((ms * sampleRate) / 1_000);
}

function renderTone(part: Int16Array, wave: Float64Array, frequencyHz: number, sampleRate: number): void {
  const length = part.length;
  // Shorten the ramps if the note is too short for them.
  const attack = Math.min(sampleAt(ATTACK_MS, sampleRate), length / 4);
  const release = Math.min(sampleAt(RELEASE_MS, sampleRate), length / 2);
  const step = (frequencyHz * TABLE_SIZE) / sampleRate;
  for (let index = 0; index < length; index++) {
    const at = (index * step) % TABLE_SIZE;
    const before = Math.trunc(at);
    const left = wave[before] ?? 0;
    const right = wave[before + 1] ?? 0;
    const loudness = Math.min(ramp(index / attack), ramp((length - 1 - index) / release));
    part[index] = Math.round((left + (right - left) * (at - before)) * loudness * PEAK);
  }
}

/** Returns a smooth ramp from 0 to 1. */
function ramp(done: number): number {
  return done >= 1 ? 1 : 0.5 - Math.cos(Math.PI * done) / 2;
}

/** Returns the number of harmonics below this multiple of the fundamental, but at least 1. */
function partsBelow(times: number): number {
  return Math.max(1, HARMONICS.filter((harmonic) => harmonic.times < times).length);
}

/** Renders one period between -1 and 1. Repeats the first value at the end, for interpolation. */
function oneWave(parts: number): Float64Array {
  const harmonics = HARMONICS.slice(0, parts);
  const wave = Float64Array.from({ length: TABLE_SIZE + 1 }, (_, index) =>
    harmonics.reduce(
      (sum, { times, strength }) => sum + strength * Math.sin((2 * Math.PI * times * index) / TABLE_SIZE),
      0,
    ),
  );
  const peak = wave.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
  return wave.map((value) => value / peak);
}

const WAV_HEADER_BYTES = 44;

/** Encodes samples as a WAV file: RIFF, PCM, 16 bits, mono. */
export function encodeWav(samples: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(WAV_HEADER_BYTES + samples.length * 2);
  const view = new DataView(bytes.buffer);
  const mark = (at: number, name: string) => bytes.set(new TextEncoder().encode(name), at);
  mark(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  mark(8, 'WAVE');
  mark(12, 'fmt ');
  view.setUint32(16, 16, true);
  // PCM, one channel
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  mark(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  // WAV is always little-endian.
  for (let index = 0; index < samples.length; index++) {
    view.setInt16(WAV_HEADER_BYTES + index * 2, samples[index] ?? 0, true);
  }
  return bytes;
}
