import { loadImage, createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const PATH = `/api/device/${DEVICE}/screen/`;

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterAll(() => station.stop());

async function picture(
  path: string,
): Promise<{ width: number; height: number; dark: (x: number, y: number) => boolean }> {
  const answer = await station.request('GET', path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('image/png');
  const bytes = answer.body as Buffer;
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const image = await loadImage(bytes);
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return {
    width: image.width,
    height: image.height,
    dark: (x, y) => (data[(y * image.width + x) * 4] ?? 255) < 128,
  };
}

test('the screen is a PNG of 296 by 128 pixels, or a multiple of that', async () => {
  for (const scale of [1, 2, 3, 4, 5, 6, 7, 8]) {
    expect(await picture(`${PATH}?scale=${scale}`)).toMatchObject({ width: 296 * scale, height: 128 * scale });
  }
  expect(await picture(PATH)).toMatchObject({ width: 296, height: 128 });
});

test('draws the statics, and enlarges each pixel at a larger scale', async () => {
  await station.post(`/api/device/${DEVICE}/`, { statica: 'on hand 240', quantity: 7 });
  await station.clock.advance(5_000);
  const plain = await picture(PATH);
  const large = await picture(`${PATH}?scale=3`);
  let ink = 0;
  for (let y = 0; y < 128; y += 1) {
    for (let x = 0; x < 296; x += 1) {
      if (plain.dark(x, y)) ink += 1;
      for (const [dx, dy] of [
        [0, 0],
        [2, 2],
      ] as const) {
        if (large.dark(3 * x + dx, 3 * y + dy) !== plain.dark(x, y)) throw new Error(`Pixel ${x},${y} is another one.`);
      }
    }
  }
  expect(ink).toBeGreaterThan(300);
});

test('changes when the display changes, not when the request arrives', async () => {
  await station.patch(`/api/simulator/devices/${DEVICE}/`, { reachable: false });
  await station.clock.advance(1_000);
  const before = (await station.request('GET', PATH)).body as Buffer;
  await station.post(`/api/device/${DEVICE}/`, { line1: 'never shown', nonce: 'n' });
  await station.clock.advance(5_000);
  expect((await station.request('GET', PATH)).body).toEqual(before);
  await station.patch(`/api/simulator/devices/${DEVICE}/`, { reachable: true });
  await station.clock.advance(5_000);
  expect((await station.request('GET', PATH)).body).not.toEqual(before);
  await station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
});

test('refuses other scales with 400, and names the parameter', async () => {
  for (const scale of ['0', '9', '-1', '1.5', 'two', '', '1&scale=2', 'NaN', '1e9', '[1]']) {
    const answer = await station.request('GET', `${PATH}?scale=${scale}`);
    expect(answer, scale).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path: '/scale' }] } });
  }
  expect((await station.request('GET', `${PATH}?other=9&x[y]=z`)).status).toBe(400);
});

test('HEAD returns the content type without a picture', async () => {
  const response = await fetch(new URL(PATH, station.url), { method: 'HEAD', headers: { 'api-key': API_KEY } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(await response.text()).toBe('');
});
