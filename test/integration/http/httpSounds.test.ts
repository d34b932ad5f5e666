import { afterAll, beforeAll, expect, test } from 'vitest';
import { TUNE_NAMES, TUNES } from '#shared/sound/tunes.ts';
import { listenTo, readWav } from '../../helpers/servers/listen.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation();
});

afterAll(() => station.stop());

/** Frequencies in Hz in octave 5, in which A is 880. Each higher octave doubles the frequencies. */
const OCTAVE_5: Readonly<Record<string, number>> = {
  c: 523.25,
  cs: 554.37,
  d: 587.33,
  ds: 622.25,
  e: 659.26,
  f: 698.46,
  fs: 739.99,
  g: 783.99,
  gs: 830.61,
  a: 880,
  as: 932.33,
  b: 987.77,
};

/** Computes the expected tones independently of the code under test. */
function expectedOf(encoding: string): { lengthMs: number; tones: { atMs: number; frequencyHz: number }[] } {
  const [tempo = '', ...pairs] = encoding.split(',');
  const tones: { atMs: number; frequencyHz: number }[] = [];
  let atMs = 0;
  for (let index = 0; index < pairs.length; index += 2) {
    const note = pairs[index] ?? '';
    const octave = Number(note[1]);
    const hertz = OCTAVE_5[note.replace(/\d/, '')];
    if (hertz !== undefined) tones.push({ atMs, frequencyHz: hertz * 2 ** (octave - 5) });
    atMs += Number(tempo) * Number(pairs[index + 1]);
  }
  return { lengthMs: atMs, tones };
}

async function wav(name: string) {
  const answer = await station.request('GET', `/api/sounds/${name}/`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('audio/wav');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  return readWav(answer.body as Buffer);
}

async function expectToHear(name: string, encoding: string): Promise<void> {
  const { samples, sampleRate } = await wav(name);
  const { lengthMs, tones } = expectedOf(encoding);
  expect(Math.abs((samples.length * 1_000) / sampleRate - lengthMs)).toBeLessThan(1);
  const heard = listenTo(samples, sampleRate);
  expect(heard).toHaveLength(tones.length);
  for (const [index, tone] of tones.entries()) {
    expect(Math.abs((heard[index]?.atMs ?? Infinity) - tone.atMs)).toBeLessThan(1);
    expect(Math.abs((heard[index]?.frequencyHz ?? 0) / tone.frequencyHz - 1)).toBeLessThan(0.01);
  }
}

test('lists every tune with its encoding and length', async () => {
  const tunes = await station.get<{ name: string; encoding: string; length_ms: number }[]>('/api/sounds/');
  expect(tunes.map(({ name }) => name)).toEqual(TUNE_NAMES);
  for (const { encoding, length_ms } of tunes) expect(length_ms).toBe(expectedOf(encoding).lengthMs);
  expect(tunes[0]).toEqual({ name: 'Regular Beep', encoding: '15,c5,4', length_ms: 60 });
});

test.for(Object.entries(TUNES))(
  '%s is a WAV file of the correct length with notes of the correct pitch',
  async ([name, encoding]) => {
    await expectToHear(encodeURIComponent(name), encoding);
  },
);

test('finds a name in any case, with or without hyphens; the regular beep is also called beep', async () => {
  await expectToHear('TADA', TUNES['Ta-Da']);
  await expectToHear('scale%20reverse', TUNES['Scale-Reverse']);
  await expectToHear('beep', TUNES['Regular Beep']);
});

test('accepts an encoding instead of a name, including commas', async () => {
  await expectToHear('140,c5,2,p,1,a5s,3,b7,1', '140,c5,2,p,1,a5s,3,b7,1');
  await expectToHear('140%2Cc5%2C2a5%2C1', '140,c5,2,a5,1');
});

test('HEAD returns the length, and browsers can cache the sound', async () => {
  const whole = await station.request('GET', '/api/sounds/taps/');
  const head = await station.request('HEAD', '/api/sounds/taps/');
  expect(head.status).toBe(200);
  for (const name of ['content-type', 'content-length', 'cache-control', 'x-content-type-options']) {
    expect(head.headers.get(name), name).toBe(whole.headers.get(name));
  }
  expect(head.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
  expect(Number(head.headers.get('content-length'))).toBe((whole.body as Buffer).length);
});

test('answers 404 for an unknown name, and lists the known names', async () => {
  const answer = await station.request('GET', '/api/sounds/ding%20dong/');
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const { detail } = answer.body as { detail: string };
  for (const name of ['"ding dong"', 'beep', ...TUNE_NAMES]) expect(detail).toContain(name);
});

test('silence has no sound file', async () => {
  expect(await station.request('GET', '/api/sounds/none/')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('an error names the position of a mistake in an encoding', async () => {
  const answer = await station.request('GET', '/api/sounds/140,c5,2,h5,1/');
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path: '/name' }] } });
  expect((answer.body as { detail: string }).detail).toContain('"h5" at character 10');
});

test('refuses a sound longer than a minute, and states its length', async () => {
  const answer = await station.request('GET', '/api/sounds/15,c5,65535/');
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } });
  expect((answer.body as { detail: string }).detail).toMatch(/lasts 984 s; .* at most 60 s\./);
  await expectToHear('1000,c5,60', '1000,c5,60');
});

test('refuses an unauthenticated caller', async () => {
  for (const path of ['/api/sounds/', '/api/sounds/taps/']) {
    expect(await station.request('GET', path, undefined, { 'api-key': '' })).toMatchObject({ status: 401 });
  }
});
