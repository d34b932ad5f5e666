import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StartSideProcess } from '../../electron/server/ports.ts';
import { nodeSideProcesses } from '../../electron/server/sideProcesses.ts';
import { addArticle, articlePath, getArticle } from '../helpers/articles.ts';
import { halves, noise, seen } from '../helpers/files/pictures.ts';
import { COMPILED } from '../helpers/spawnStation.ts';
import { type Answer, startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { until } from './until.ts';

let station: TestStation;
let start: StartSideProcess;
let sides: { hasEnded: boolean }[];

beforeEach(async () => {
  sides = [];
  start = nodeSideProcesses(COMPILED);
  station = await startTestStation({
    startSideProcess(file, heard) {
      const side = { hasEnded: false };
      sides.push(side);
      return start(file, {
        message: heard.message,
        ended(how) {
          side.hasEnded = true;
          heard.ended(how);
        },
      });
    },
  });
  await addArticle(station, 'CT-200');
});
afterEach(() => station.stop());

const PICTURE = `${articlePath('CT-200')}picture/`;
const send = (bytes: Uint8Array): Promise<Answer> => station.request('PUT', PICTURE, bytes);
const pictureOf = async (): Promise<string | null> => (await getArticle(station, 'CT-200')).picture;

test('a picture is converted in a separate process, which then ends', async () => {
  expect(await send(halves('jpeg', 3_000, 2_000))).toMatchObject({ status: 200 });
  const { body } = await station.request('GET', PICTURE);
  expect(await seen(body as Uint8Array)).toEqual({ width: 640, height: 427, corners: 'red blue' });
  expect(sides).toHaveLength(1);
  await until('the process has ended', () => sides.every(({ hasEnded }) => hasEnded));
});

test('the largest file is sent to its process in small messages, so that it does not hold up the station', async () => {
  const working = start;
  const lengths: number[] = [];
  start = (file, heard) => {
    const side = working(file, heard);
    return {
      kill: side.kill,
      send(message) {
        lengths.push(JSON.stringify(message).length);
        side.send(message);
      },
    };
  };
  const jpeg = halves('jpeg');
  expect((await send(Buffer.concat([jpeg, Buffer.alloc(15 * 1024 * 1024)]))).status).toBe(200);
  expect(Math.max(...lengths)).toBeLessThan(300_000);
  expect(lengths.length).toBeGreaterThan(80);
});

test('several pictures are converted one after another', async () => {
  const answers = await Promise.all([send(noise(500)), send(halves('png')), send(halves('webp'))]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(sides).toHaveLength(3);
  // The picture that arrived last is stored.
  const pictures = answers.map(({ body }) => (body as { picture: string }).picture);
  expect(pictures).toContain(await pictureOf());
});

test('a crashed process changes nothing, and the next picture is converted', async () => {
  const working = start;
  start = (file, heard) => {
    const side = working(file, {
      ended: heard.ended,
      message: () => side.kill(),
    });
    return side;
  };
  expect(await send(halves('png'))).toMatchObject({
    status: 500,
    body: {
      code: 'internal',
      detail: expect.stringMatching(/^The picture was not changed: the process for it ended by/) as string,
    },
  });
  expect(await pictureOf()).toBeNull();
  start = working;
  expect(await send(halves('png'))).toMatchObject({ status: 200 });
});

test('a process that does not end is killed after a minute, and the picture is refused', async () => {
  const hung = Promise.withResolvers<void>();
  const working = start;
  start = (file, heard) => working(file, { ended: heard.ended, message: () => hung.resolve() });
  const answer = send(halves('png'));
  await hung.promise;
  await station.clock.advance(60_000);
  expect(await answer).toMatchObject({
    status: 415,
    body: { detail: expect.stringMatching(/^Reading the picture took too long and was canceled/) as string },
  });
  await until('the process has ended', () => sides.every(({ hasEnded }) => hasEnded));
  expect(await pictureOf()).toBeNull();
});

test('a stopping station does not wait for a picture', async () => {
  const hung = Promise.withResolvers<void>();
  const working = start;
  start = (file, heard) => working(file, { ended: heard.ended, message: () => hung.resolve() });
  const answer = send(halves('png')).catch(() => undefined);
  await hung.promise;
  await station.stop();
  await answer;
  await until('the process has ended', () => sides.every(({ hasEnded }) => hasEnded));
});
