import { expect, test } from 'vitest';
import type { TurboFrame } from '#shared/api/turbo.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { createFrameWriter, encodeFrame } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { FrameLog } from '../../../electron/server/turbo/traffic/frameLog.ts';
import type { Message } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { attachPeer, startRig } from '../turboLink/turboLinkRig.ts';

const DEVICE = '51D000:000001';
const FRAMES = '/api/turbo/SIM-1/frames/';

function framesOf(station: TestStation, after?: number): Promise<TurboFrame[]> {
  return station.get<TurboFrame[]>(after === undefined ? FRAMES : `${FRAMES}?after=${after}`);
}

test('the frame log shows frames in both directions, decoded with the message table, with their exact bytes', async () => {
  await using station = await startTestStation({ simulate: 1, refreshMs: 0 });
  const before = (await framesOf(station)).at(-1)?.number ?? 0;
  await station.post(`/api/device/${DEVICE}/`, { command: 'flash', line1: 'A-01', seconds: 60 });
  await station.clock.advance(1_000);
  await station.press(DEVICE);

  const frames = await framesOf(station, before);
  const show = frames.find(({ message }) => message === 'show');
  expect(show).toMatchObject({
    direction: 'out',
    device: DEVICE,
    answers: null,
    repeated: false,
    fields: { device: DEVICE, led: 'blink', seconds: 60, screen: { form: 'fields', lines: ['A-01'] } },
    bytes: expect.stringMatching(/^A5 5A 10 00( [0-9A-F]{2})+$/) as string,
  });
  expect(frames.find(({ answers }) => answers === 'show')).toMatchObject({
    direction: 'in',
    message: 'ack',
    device: DEVICE,
    sequence: show?.sequence,
    fields: { status: 'ok' },
  });
  expect(frames.find(({ message }) => message === 'button')).toMatchObject({ direction: 'in', device: DEVICE });
  expect(frames.map(({ number }) => number)).toEqual(frames.map((_, place) => before + 1 + place));
});

test('returns the frames after the given number, or all frames if the number is too high', async () => {
  await using station = await startTestStation({ simulate: 1 });
  const all = await framesOf(station);
  const last = all.at(-1)?.number ?? 0;
  expect(last).toBe(all.length);
  expect(await framesOf(station, last)).toEqual([]);
  expect(await framesOf(station, last - 2)).toEqual(all.slice(-2));
  expect(await framesOf(station, last + 1_000)).toEqual(all);
  expect(await station.request('GET', `${FRAMES}?after=x`)).toMatchObject({ status: 400, body: { code: 'invalid' } });
  expect(await station.request('GET', '/api/turbo/T-404/frames/')).toMatchObject({ status: 404 });
});

test('the exported file has one line per frame', async () => {
  await using station = await startTestStation({ simulate: 1 });
  const answer = await station.request('GET', `${FRAMES}export/`);
  expect(answer.headers.get('content-disposition')).toContain('turbo-frames.ndjson');
  const lines = (answer.body as Buffer).toString('utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as TurboFrame)).toEqual(await framesOf(station));
});

test('only admins can read frames', async () => {
  await using station = await startTestStation({ simulate: 1 });
  const { api_key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'shop', scope: 'control' });
  expect(api_key).not.toBe(API_KEY);
  for (const path of [FRAMES, `${FRAMES}export/`]) {
    expect((await station.request('GET', path, undefined, { 'api-key': api_key })).status).toBe(403);
  }
});

test('the secret with which a turbo signs in is neither shown nor stored', async () => {
  const rig = await startRig({ devices: false });
  const turbo = attachPeer(rig);
  turbo.hello({ username: 'hall', secret: 'open sesame' });
  await rig.clock.advance(100);
  const frames = rig.traffics.framesOf('T-1', undefined) ?? [];
  const hello = frames.find(({ message }) => message === 'hello');
  expect(hello?.fields).toMatchObject({ serialNumber: 'T-1', username: 'hall', secret: '(hidden)' });
  const secret = hexOf(Buffer.from('open sesame'));
  expect(hexOf(encodeFrame(createFrameWriter(), hidden('open sesame'), 1, false))).toContain(secret);
  expect(JSON.stringify(frames)).not.toContain(secret);
  // The checksum is hidden too, because a short secret could be guessed from it.
  expect(hello?.bytes).toMatch(/^A5 5A 01 [0-9A-F ]+( ··)+$/);
  turbo.stop();
  rig.stop();
});

test('the secret of a turbo that reconnects is hidden too', async () => {
  const rig = await startRig({ devices: false });
  for (const secret of ['open sesame', 'open barley']) {
    const turbo = attachPeer(rig);
    turbo.hello({ username: 'hall', secret });
    await rig.clock.advance(100);
    turbo.stop();
    await rig.clock.advance(100);
  }
  const hellos = (rig.traffics.framesOf('T-1', undefined) ?? []).filter(({ message }) => message === 'hello');
  expect(hellos).toHaveLength(2);
  for (const { fields, bytes } of hellos) {
    expect(fields).toMatchObject({ username: 'hall', secret: '(hidden)' });
    expect(bytes).toMatch(/^A5 5A 01 [0-9A-F ]+( ··)+$/);
  }
  rig.stop();
});

test('the secret of a turbo is not kept in memory', () => {
  const log = new FrameLog();
  log.add(1, 'in', encodeFrame(createFrameWriter(), hidden('open sesame'), 1, false), false);
  const { ring } = log as unknown as { ring: { bytes: Buffer } };
  const held = ring.bytes.toString('latin1');
  expect(held).toContain(EXAMPLES.hello.serialNumber);
  expect(held).not.toContain('open sesame');
});

test('an answer is matched only to a request from the other side, because both sides number their own requests', () => {
  const log = new FrameLog();
  const scratch = createFrameWriter();
  const add = (direction: 'in' | 'out', message: Message, isReply: boolean): void =>
    log.add(1, direction, encodeFrame(scratch, message, 7, isReply), false);
  const ack: Message = { name: 'ack', body: { status: 'ok' } };
  add('out', { name: 'sync', body: {} }, false);
  add('in', { name: 'heartbeat', body: { uptimeS: 1 } }, false);
  add('in', { name: 'synced', body: { devices: 0 } }, true);
  add('out', ack, true);
  // The next session can use the same numbers again.
  add('in', { name: 'button', body: EXAMPLES.button }, false);
  const answered = log.list(undefined).map(({ answers }) => answers);
  expect(answered).toEqual([undefined, undefined, 'sync', 'heartbeat', undefined]);
});

test('an unreadable hello is logged without its content', () => {
  const log = new FrameLog();
  const frame = encodeFrame(createFrameWriter(), hidden('open sesame'), 1, false);
  // Make the length of the serial number invalid.
  frame[11] = 0xff;
  log.add(1, 'in', frame, false);
  const [kept] = log.list(undefined);
  expect(kept).toMatchObject({ message: 'malformed 0x01', fields: {} });
  expect(kept?.bytes).toMatch(/^A5 5A( [0-9A-F]{2}){8}( ··)+$/);
});

test('the log is limited by frames and by bytes, and drops the oldest frames first', () => {
  const log = new FrameLog();
  const scratch = createFrameWriter();
  const heartbeat = encodeFrame(scratch, { name: 'heartbeat', body: { uptimeS: 1 } }, 1, false);
  for (let at = 0; at < 2_500; at++) log.add(at, 'in', heartbeat, false);
  const short = log.list(undefined);
  expect([short.length, short[0]?.number, short.at(-1)?.number]).toEqual([1_000, 1_501, 2_500]);

  const pixels = new Uint8Array(4_736);
  const show = encodeFrame(
    scratch,
    { name: 'show', body: { ...EXAMPLES.show, screen: { form: 'bitmap', packing: 'raw', pixels } } },
    1,
    false,
  );
  for (let at = 0; at < 200; at++) log.add(at, 'out', show, false);
  const long = log.list(undefined);
  expect(long.at(-1)?.number).toBe(2_700);
  expect(long).toHaveLength(Math.floor((256 * 1_024) / show.length));
  expect(long[0]?.fields).toMatchObject({ screen: { pixels: '4736 bytes' } });
});

function hidden(secret: string) {
  return { name: 'hello' as const, body: { ...EXAMPLES.hello, username: 'hall', secret } };
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' ');
}
