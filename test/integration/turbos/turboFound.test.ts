import { decode, encode } from 'dns-packet';
import { expect, onTestFinished, test } from 'vitest';
import type { FoundControllerEntry } from '#shared/api/turbo.ts';
import { createMulticast } from '../../../electron/server/network/multicast.ts';
import { findControllers } from '../../../electron/server/turbo/findControllers.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import {
  accessPointReply,
  displayReply,
  finish,
  startMulticastDevices,
  wledReply,
} from '../../helpers/devices/multicastDevices.ts';
import { START_MS, startTestStation } from '../../helpers/startTestStation.ts';
import { startWled } from '../../helpers/devices/wledController.ts';

const FOUND = '/api/turbo/links/found/';
const SHOP = { kind: 'openepaperlink', url: 'http://127.0.0.1/', name: 'Shop' };
const RACK = { kind: 'wled', url: 'http://127.0.0.1:8080/', name: 'Rack 3' };
const SHELF = { kind: 'opendisplay', url: 'opendisplay://127.0.0.1:2446/', name: 'OD1A2B3C' };

type Parts = Parameters<typeof startMulticastDevices>;

/** Returns the results of a search in which devices in the network give these answers. */
async function find(answers: Parts[1], where?: Parts[2]) {
  const clock = createFakeClock(START_MS);
  const { multicast, questions, asked } = await startMulticastDevices(clock, answers, where);
  const found = await finish(findControllers(multicast), clock, asked);
  expect(clock.timerCount()).toBe(0);
  return { found, questions };
}

test('finds each access point and LED strip once, by the source address of its answer', async () => {
  const { found, questions } = await find({
    accessPoints: [accessPointReply('Shop\u0007')],
    strips: [wledReply({ port: 8080, mac: 'd3e4f5a1b2c3', host: '127.0.0.1' })],
  });
  expect(found).toEqual([
    { ...RACK, serialNumber: 'WLED-D3E4F5A1B2C3', needsKey: false },
    { ...SHOP, serialNumber: 'oepl-127.0.0.1', needsKey: false },
  ]);
  expect(questions).toEqual({ accessPoints: 2, strips: 2, displays: 2 });
});

test('finds a display by its source address, with its MAC and whether it needs a key', async () => {
  const plain = displayReply();
  const locked = displayReply({ name: 'Locked', port: 2_447, texts: ['mac=A0:B1:C2:D3:E4:F6', 'tls=1'] });
  const nameless = displayReply({ name: 'Old', port: 2_500, texts: ['mac=none'] });
  const liar = displayReply({ name: 'Liar', host: '10.0.0.1' });
  const { found } = await find({ displays: [plain, locked, nameless, liar, wledReply({ port: 8080 })] });
  expect(found).toEqual([
    {
      kind: 'opendisplay',
      url: 'opendisplay://127.0.0.1:2447/',
      name: 'Locked',
      serialNumber: 'OD-A0B1C2D3E4F6',
      needsKey: true,
    },
    { ...SHELF, serialNumber: 'OD-A0B1C2D3E4F5', needsKey: false },
    { kind: 'opendisplay', url: 'opendisplay://127.0.0.1:2500/', name: 'Old', serialNumber: '', needsKey: false },
  ]);
});

test('ignores packets that are not answers to the question', async () => {
  const cut = wledReply({}).subarray(0, 40);
  const wrongTypes = encode({
    type: 'response',
    answers: [
      { type: 'A', name: '_wled._tcp.local', data: '127.0.0.1' },
      { type: 'PTR', name: '_wled._tcp.local', data: 'elsewhere.example' },
    ],
  });
  const question = encode({ ...decode(wledReply({})), type: 'query' });
  const huge = wledReply({ more: 20_000 });
  const others = [wledReply({ service: '_http._tcp.local' }), wrongTypes, question, huge];
  const { found } = await find({
    accessPoints: [Buffer.from([0x81]), Buffer.from([0xe6, 1, 2])],
    strips: [Buffer.alloc(600, 0xc0), cut, ...others],
  });
  expect(found).toEqual([]);
});

test('drops an answer that names another host than its sender', async () => {
  const strips = ['169.254.169.254', '10.0.0.1', '203.0.113.7'].map((host) => wledReply({ host }));
  expect((await find({ strips })).found).toEqual([]);
});

test("drops an answer from outside the machine's networks", async () => {
  const answers = { accessPoints: [accessPointReply('Shop')], strips: [wledReply({ port: 8080 })] };
  expect((await find(answers, { from: '127.0.0.2' })).found).toHaveLength(2);
  expect((await find(answers, { from: '127.0.0.2', own: '127.0.0.1/32' })).found).toEqual([]);
});

test('shortens names, removes invisible characters, and limits the entries from one sender', async () => {
  const bold = '<b onclick="x()">A</b>\u202Etsil';
  const many = Array.from({ length: 50 }, (_, index) => wledReply({ name: bold, port: 9_000 + index }));
  const { found } = await find({ strips: many, accessPoints: [accessPointReply('\uFEFF\n')] });
  expect(found.filter(({ kind }) => kind === 'wled')).toHaveLength(8);
  expect(found[0]).toMatchObject({ kind: 'openepaperlink', name: '' });
  expect(found[1]?.name).toBe('<b onclick="x()">A</b>tsil');
  const long = await find({ strips: [wledReply({ name: 'x'.repeat(63) })] });
  expect(long.found[0]?.name).toBe('x'.repeat(60));
});

test('marks controllers that already have a link, by address or by MAC', async () => {
  const clock = createFakeClock(START_MS);
  const wled = await startWled({ mac: 'a0b1c2d3e4f5' });
  onTestFinished(() => wled.stop());
  const { multicast, questions, asked } = await startMulticastDevices(clock, {
    accessPoints: [accessPointReply('Shop')],
    strips: [wledReply({ mac: 'A0B1C2D3E4F5', port: 8080 }), wledReply({ name: 'New', port: 8081 })],
  });
  await using station = await startTestStation({ clock, multicast });
  await station.post('/api/turbo/links/', { kind: 'wled', url: wled.url });
  await clock.advance(5_000);
  await station.post('/api/turbo/links/', { kind: 'openepaperlink', url: SHOP.url });
  const both = Promise.all([station.request('GET', FOUND), station.request('GET', FOUND)]);
  const answers = await finish(both, clock, asked);
  const expected: FoundControllerEntry[] = [
    { kind: 'wled', url: 'http://127.0.0.1:8081/', name: 'New', linked: false, needs_key: false },
    { ...RACK, kind: 'wled', linked: true, needs_key: false },
    { ...SHOP, kind: 'openepaperlink', linked: true, needs_key: false },
  ];
  expect(answers.map(({ body }) => body)).toEqual([expected, expected]);
  expect(questions).toEqual({ accessPoints: 2, strips: 2, displays: 2 });
});

test('explains why a network cannot be searched', async () => {
  const clock = createFakeClock(START_MS);
  for (const [networks, sentence] of [
    [[], 'This machine has no network to search. Enter the address of the device instead.'],
    [['192.0.2.1/24'], /^The system or a firewall does not allow a search of the network\. .* \(\w+\)$/],
  ] as const) {
    await using station = await startTestStation({ multicast: createMulticast(clock, { networks: () => networks }) });
    const { status, body } = await station.request('GET', FOUND);
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringMatching(sentence) },
    });
  }
});
