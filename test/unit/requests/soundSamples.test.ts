import { expect, test } from 'vitest';
import { encodeWav, LONGEST_RENDERED_MS, renderSamples, soundLengthMs } from '#shared/sound/samples.ts';
import { parseSound, type Note } from '#shared/sound/sound.ts';
import { TUNE_NAMES } from '#shared/sound/tunes.ts';
import { listenTo, readWav, strengthOf } from '../../helpers/servers/listen.ts';

const RATES = [22_050, 44_100, 48_000];

function notesOf(text: string): Note[] {
  const sound = parseSound(text);
  if (!sound.ok) throw new Error(sound.message);
  return sound.notes;
}

test.for(TUNE_NAMES)(
  '%s plays note by note, each within a millisecond of its time and one percent of its pitch',
  (name) => {
    const notes = notesOf(name);
    for (const sampleRate of RATES) {
      const heard = listenTo(renderSamples(notes, { sampleRate }), sampleRate);
      let atMs = 0;
      const expected = notes.flatMap(({ frequencyHz, ms }) => {
        const from = atMs;
        atMs += ms;
        return frequencyHz === null ? [] : [{ atMs: from, frequencyHz }];
      });
      expect(heard).toHaveLength(expected.length);
      for (const [index, note] of expected.entries()) {
        expect(Math.abs((heard[index]?.atMs ?? Infinity) - note.atMs)).toBeLessThan(1);
        expect(Math.abs((heard[index]?.frequencyHz ?? 0) / note.frequencyHz - 1)).toBeLessThan(0.01);
      }
    }
  },
);

test('many notes of an odd length add up to the exact length', () => {
  const notes = notesOf(`23${',c5,1'.repeat(500)}`);
  const samples = renderSamples(notes, { sampleRate: 22_050 });
  expect(samples.length).toBe(Math.round(11.5 * 22_050));
  const heard = listenTo(samples, 22_050);
  expect(heard).toHaveLength(500);
  expect(Math.abs((heard.at(-1)?.atMs ?? 0) - 499 * 23)).toBeLessThan(1);
});

test('a rest is silence', () => {
  const samples = renderSamples(notesOf('100,p,2,c5,1,p,1'), { sampleRate: 44_100 });
  expect(samples.subarray(0, 8_820).every((sample) => sample === 0)).toBe(true);
  expect(samples.subarray(13_230).every((sample) => sample === 0)).toBe(true);
  expect(samples.subarray(8_820, 13_230).some((sample) => sample > 10_000)).toBe(true);
});

test.for(['c5', 'a5', 'g6', 'b7'])(
  '%s consists mostly of its fundamental, with weak odd harmonics and hardly anything else',
  (note) => {
    const sampleRate = 44_100;
    const samples = renderSamples(notesOf(`1000,${note},1`), { sampleRate }).subarray(4_410, 39_690);
    const [{ frequencyHz } = { frequencyHz: null }] = notesOf(`1000,${note},1`);
    if (frequencyHz === null) throw new Error('A note was read as a rest.');
    const own = strengthOf(samples, frequencyHz, sampleRate);
    expect(own).toBeGreaterThan(0.4);
    for (const times of [3, 5, 7]) expect(strengthOf(samples, frequencyHz * times, sampleRate)).toBeLessThan(own / 4);
    if (note !== 'b7') expect(strengthOf(samples, frequencyHz * 3, sampleRate)).toBeGreaterThan(own / 20);
    for (const times of [0.5, 2, 4, 6])
      expect(strengthOf(samples, frequencyHz * times, sampleRate)).toBeLessThan(own / 100);
  },
);

test.for(['c7', 'b7'])('%s has no aliases of harmonics above half the sample rate', (note) => {
  const sampleRate = 22_050;
  const [{ frequencyHz } = { frequencyHz: null }, ...rest] = notesOf(`1000,${note},1`);
  if (frequencyHz === null || rest.length > 0) throw new Error('One note was asked for.');
  const samples = renderSamples(notesOf(`1000,${note},1`), { sampleRate }).subarray(2_205, 19_845);
  const own = strengthOf(samples, frequencyHz, sampleRate);
  for (const times of [3, 5, 7]) {
    const folded = Math.abs(frequencyHz * times - sampleRate * Math.round((frequencyHz * times) / sampleRate));
    if (frequencyHz * times > sampleRate / 2) expect(strengthOf(samples, folded, sampleRate)).toBeLessThan(own / 200);
  }
});

test('a tone begins softly, far below its full amplitude in the first millisecond', () => {
  const samples = renderSamples(notesOf('1000,g6,1'), { sampleRate: 44_100 });
  const highest = (from: number, to: number) =>
    samples.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  expect(highest(0, 44)).toBeLessThan(highest(4_410, 8_820) / 4);
});

test('nothing clicks: no step between samples is larger where tones meet than within a tone', () => {
  const sampleRate = 44_100;
  const tone = renderSamples(notesOf('1000,g6,1'), { sampleRate }).subarray(10_000, 30_000);
  const tune = renderSamples(notesOf('140,g6,1,g6,1,p,1,g6,2,c6,1,g6,1'), { sampleRate });
  const steepest = (samples: Int16Array) =>
    samples.reduce((most, sample, index) => Math.max(most, Math.abs(sample - (samples[index - 1] ?? sample))), 0);
  expect(steepest(tune)).toBeLessThanOrEqual(steepest(tone));
  expect(Math.abs(tune[0] ?? 1) + Math.abs(tune.at(-1) ?? 1)).toBe(0);
});

test('a note of a millisecond lasts a millisecond', () => {
  const samples = renderSamples(notesOf('1,b7,1,p,20'), { sampleRate: 48_000 });
  expect(samples.length).toBe(21 * 48);
  expect(samples.subarray(0, 48).some((sample) => Math.abs(sample) > 3_000)).toBe(true);
  expect(samples.subarray(48).every((sample) => sample === 0)).toBe(true);
});

test('an empty sound has no samples', () => {
  expect(renderSamples([], { sampleRate: 44_100 })).toHaveLength(0);
  expect(readWav(encodeWav(new Int16Array(), 8_000))).toEqual({ sampleRate: 8_000, samples: new Int16Array() });
});

test('renders only the first minute of a 15-minute tone, and ends softly', () => {
  const notes = notesOf('15,c5,65535');
  expect(soundLengthMs(notes)).toBe(983_025);
  const samples = renderSamples(notes, { sampleRate: 8_000 });
  expect(samples.length).toBe((LONGEST_RENDERED_MS / 1_000) * 8_000);
  expect(samples.at(-1)).toBe(0);
  expect(renderSamples(notesOf(`1${',c5,65535'.repeat(50)}`), { sampleRate: 8_000 })).toHaveLength(480_000);
});

test('a WAV file holds the exact samples, even the loudest', () => {
  const samples = Int16Array.from([0, 1, -1, 255, 256, -256, 32_767, -32_768]);
  expect(readWav(encodeWav(samples, 22_050))).toEqual({ sampleRate: 22_050, samples });
});
