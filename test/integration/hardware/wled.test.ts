import { expect, onTestFinished, test } from 'vitest';
import type { BulkResult, CommandEntry, Device } from '#shared/api/device.ts';
import type { SavedTurboLink, Turbo, TurboLink } from '#shared/api/turbo.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { A1, A2, DARK, linksOf, PLACES, startStrip } from './wledRig.ts';

const firstOf = async (station: TestStation, id: string): Promise<CommandEntry | undefined> =>
  (await station.device(id)).commands[0];

test('each place on an LED strip is a device with only a light, even after a restart', async () => {
  const { station, wled } = await startStrip();
  const [link] = await linksOf(station);
  expect(link).toMatchObject({
    kind: 'wled',
    step: 'online',
    problem: null,
    problems: [],
    turbo: 'WLED-A0B1C2D3E4F5',
    places: [
      { number: 1, label: 'A-1', deviceid: A1 },
      { number: 2, label: 'A-2', deviceid: A2 },
    ],
  });
  expect(await station.get<Turbo>('/api/turbo/WLED-A0B1C2D3E4F5/')).toMatchObject({
    name: 'Rack 3',
    status: 'online',
    transport: 'wled',
    port: wled.url,
    firmware: 1501,
    device_count: 2,
  });
  expect(await station.device(A1)).toMatchObject({
    location: 'A-1',
    online: true,
    buttons: 0,
    can_press: false,
    capabilities: { screen: false, led: true, buttons: 0, latency: 'live' },
  });
  await station.restart();
  await station.clock.advance(1_000);
  expect(await station.device(A2)).toMatchObject({ location: 'A-2', online: true, capabilities: { screen: false } });
});

test('a command lights only its LEDs, warns about what cannot be shown, and sends a callback when acknowledged through the API', async () => {
  const { station, wled } = await startStrip();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await station.patch('/api/settings/', { callback_url: receiver.url });
  const sent = await station.post<{ command_id: string; warnings: string[]; expected_at?: string }>(
    `/api/device/${A1}/`,
    {
      command: 'pick',
      line1: 'M8 nut',
      quantity: 3,
      color: 'blue',
      sound: 'beep',
      nonce: 'p1',
    },
  );
  expect(sent.warnings).toContain(`${A1} has only a light: it does not show lines, quantity, sound.`);
  expect(sent.expected_at).toBeUndefined();
  await station.clock.advance(100);
  expect(await firstOf(station, A1)).toMatchObject({ state: 'shown', expected_at: null });
  expect(wled.colors().slice(0, 6)).toEqual(['0000FF', '0000FF', '0000FF', DARK, DARK, DARK]);

  await station.post(`/api/device/${A1}/acknowledge/`, { command_id: sent.command_id, qty: 2 });
  await receiver.received(1);
  expect(receiver.payloads()).toEqual([{ acknack: 'ack', deviceid: A1, location: 'A-1', nonce: 'p1', qty: 2 }]);
  await station.clock.advance(100);
  expect(new Set(wled.colors())).toEqual(new Set([DARK]));
});

test('a flash turns on immediately and blinks once per second, with one request for all blinking lights', async () => {
  const { station, wled } = await startStrip();
  const isBright = (led: number): boolean => wled.colors()[led] !== DARK;
  await station.post(`/api/device/${A1}/`, { command: 'flash', line1: 'x', color: 'red' });
  await station.clock.advance(700);
  expect(isBright(0)).toBe(false);
  await station.post(`/api/device/${A2}/`, { command: 'flash', line1: 'x', color: '#102030' });
  await station.clock.advance(60);
  expect([isBright(0), isBright(3)]).toEqual([false, true]);
  await station.clock.advance(340);
  expect([isBright(0), wled.colors()[3]]).toEqual([true, '102030']);
  await station.clock.advance(500);
  expect([isBright(0), isBright(3)]).toEqual([false, false]);
  const before = wled.changes.length;
  await station.clock.advance(10_000);
  expect(wled.changes.length - before).toBe(20);
});

test('three hundred places are lit with one request within 100 ms', async () => {
  const places = Array.from({ length: 300 }, (_, index) => ({ label: `P-${index + 1}`, start: index * 2, count: 1 }));
  const { station, wled } = await startStrip(places, { leds: 600 });
  const before = wled.changes.length;
  const commands = places.map(({ label }, index) => ({
    location: label,
    command: 'pick',
    line1: 'x',
    color: index % 2 ? 'r' : 'g',
  }));
  const answers = await station.post<BulkResult[]>('/api/devices/', commands);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  await station.clock.advance(100);
  expect(wled.changes.length - before).toBe(1);
  expect(wled.colors().filter((color) => color !== DARK)).toHaveLength(300);
  expect(
    (await station.get<{ devices: Device[] }>('/api/station/')).devices.every(
      ({ commands: [first] }) => first?.state === 'shown',
    ),
  ).toBe(true);
});

test('three hundred places with four ranges each are lit and turned off, in requests that fit into small controllers', async () => {
  const ranges = (index: number): object[] => [0, 1, 2, 3].map((at) => ({ start: (index * 4 + at) * 2, count: 1 }));
  const places = Array.from({ length: 300 }, (_, index) => ({ label: `P-${index + 1}`, ranges: ranges(index) }));
  const { station, wled, link } = await startStrip(places, { leds: 2_400 });
  const lit = (): number => wled.colors().filter((color) => color !== DARK).length;
  const commands = places.map(({ label }) => ({ location: label, command: 'pick', line1: 'x', seconds: 0 }));
  await station.post<BulkResult[]>('/api/devices/', commands);
  await station.clock.advance(500);
  expect(lit()).toBe(1_200);
  const { devices } = await station.get<{ devices: Device[] }>('/api/station/');
  expect(devices.every(({ commands: [first] }) => first?.state === 'shown')).toBe(true);
  await station.patch(`/api/turbo/links/${link.id}/`, { places: [{ label: 'P-1', ranges: ranges(0) }] });
  await station.clock.advance(500);
  expect(lit()).toBe(4);
  expect(await linksOf(station)).toMatchObject([{ step: 'online', problem: null }]);
});

test('combines rapid changes into one request, without delaying any by more than 50 ms', async () => {
  const places = Array.from({ length: 20 }, (_, index) => ({ label: `P-${index + 1}`, start: index, count: 1 }));
  const { station, wled } = await startStrip(places);
  const before = wled.changes.length;
  const lit = () => wled.colors().filter((color) => color !== DARK).length;
  const light = (number: number) => station.post('/api/devices/', [{ location: `P-${number}`, line1: 'x' }]);
  for (let number = 1; number <= 3; number += 1) {
    await light(number);
    await station.clock.advance(8);
  }
  await station.clock.advance(10);
  expect([wled.changes.length - before, lit()]).toEqual([1, 3]);
  await station.clock.advance(200);
  // Make changes for 56 ms, each at most 8 ms after the previous one.
  for (let number = 4; number <= 10; number += 1) {
    await light(number);
    await station.clock.advance(8);
  }
  expect(lit()).toBeGreaterThan(5);
});

test('restores lights after the controller restarts, plays an effect or is switched off', async () => {
  const { station, wled } = await startStrip();
  await station.post(`/api/device/${A2}/`, { command: 'pick', line1: 'x', color: 'red', seconds: 0 });
  await station.clock.advance(100);
  for (const happens of [wled.reboot, wled.playEffect, wled.switchOff]) {
    happens();
    await station.clock.advance(6_000);
    expect(wled.colors().slice(0, 5)).toEqual([DARK, DARK, DARK, 'FF0000', 'FF0000']);
  }
  const before = wled.changes.length;
  await station.clock.advance(60_000);
  expect(wled.changes.length).toBe(before);
});

test('when something is lit, restores the known brightness of a strip or segment dimmed to almost nothing', async () => {
  const { station, wled } = await startStrip(PLACES, { bri: 90 });
  const light = (): Promise<unknown> =>
    station.post(`/api/device/${A2}/`, { command: 'pick', line1: 'x', color: 'red', seconds: 0 });
  // The owner controls the brightness while nothing is lit.
  wled.dim(3);
  await station.clock.advance(6_000);
  expect(wled.brightness()).toEqual([3, 255]);
  await light();
  await station.clock.advance(100);
  expect(wled.brightness()).toEqual([90, 255]);
  wled.dim(1);
  wled.dim(2, 0);
  await station.clock.advance(6_000);
  expect(wled.brightness()).toEqual([90, 255]);
  // At this brightness lights are visible, so the station leaves it to the owner.
  wled.dim(40);
  await station.clock.advance(12_000);
  expect(wled.brightness()).toEqual([40, 255]);
  const before = wled.changes.length;
  await station.clock.advance(60_000);
  expect(wled.changes.length).toBe(before);
});

test('does not change a strip that was never bright, and raises an alert that its lights are hardly visible', async () => {
  const { station, wled } = await startStrip(PLACES, { bri: 2 });
  const problem = async (): Promise<string | null> =>
    (await station.get<Turbo>('/api/turbo/WLED-A0B1C2D3E4F5/')).problem;
  await station.clock.advance(6_000);
  expect(await problem()).toBeNull();
  await station.post(`/api/device/${A2}/`, { command: 'pick', line1: 'x', color: 'red', seconds: 0 });
  await station.clock.advance(6_000);
  expect(wled.brightness()).toEqual([2, 255]);
  const sentence = 'Rack 3 is too dim for its lights to be seen clearly. Raise its brightness in WLED.';
  expect(await problem()).toBe(sentence);
  await station.clock.advance(600_000);
  expect(await station.get('/api/alerts/')).toMatchObject([{ kind: 'turbo_trouble', problem: sentence }]);
  wled.dim(100);
  await station.clock.advance(6_000);
  expect(await problem()).toBeNull();
});

test('lighting a place removes the colors of a frozen effect from all places', async () => {
  const { station, wled } = await startStrip();
  const light = (id: string, color: string): Promise<unknown> =>
    station.post(`/api/device/${id}/`, { command: 'pick', line1: 'x', color, seconds: 0 });
  // The owner controls the effect while nothing is lit.
  wled.playEffect();
  await station.clock.advance(6_000);
  expect(wled.colors()[0]).not.toBe(DARK);
  await light(A2, 'red');
  await station.clock.advance(6_000);
  expect(wled.colors().slice(0, 5)).toEqual([DARK, DARK, DARK, 'FF0000', 'FF0000']);
  wled.playEffect();
  await light(A1, 'blue');
  await station.clock.advance(6_000);
  expect(wled.colors().slice(0, 5)).toEqual(['0000FF', '0000FF', '0000FF', 'FF0000', 'FF0000']);
  const before = wled.changes.length;
  await station.clock.advance(60_000);
  expect(wled.changes.length).toBe(before);
});

test('removes a frozen effect despite a running effect in another segment and a place added later', async () => {
  const segments: [number, number][] = [
    [0, 3],
    [3, 60],
  ];
  const { station, wled, link } = await startStrip(
    [
      { label: 'A-1', start: 0, count: 1 },
      { label: 'A-2', start: 3, count: 2 },
    ],
    { segments },
  );
  wled.playEffect();
  await station.clock.advance(6_000);
  await station.patch(`/api/turbo/links/${link.id}/`, {
    places: [
      { label: 'A-1', start: 0, count: 1 },
      { label: 'A-2', start: 3, count: 2 },
      { label: 'A-3', start: 1, count: 1 },
    ],
  });
  await station.clock.advance(12_000);
  expect(wled.colors().slice(0, 2)).toEqual([DARK, DARK]);
  // The owner still controls the other segment, where the effect continues.
  expect(wled.colors()[3]).not.toBe(DARK);
});

test('retries a busy controller, marks the places of a hanging controller as offline, and sends it the missed changes', async () => {
  const { station, wled } = await startStrip();
  wled.mood('busy');
  await station.post(`/api/device/${A1}/`, { command: 'pick', line1: 'x', color: 'red', seconds: 0 });
  await station.clock.advance(100);
  wled.mood('well');
  await station.clock.advance(500);
  expect(await firstOf(station, A1)).toMatchObject({ state: 'shown' });

  wled.mood('hangs');
  await station.clock.advance(20_000);
  expect(await linksOf(station)).toMatchObject([
    {
      step: expect.stringMatching(/waiting|opening/) as string,
      problem: 'The controller did not answer within 3 s.',
      turbo: null,
    },
  ]);
  expect(await station.device(A1)).toMatchObject({ online: false });
  await station.post(`/api/device/${A2}/`, { command: 'pick', line1: 'x', color: 'blue', seconds: 0 });
  expect(await firstOf(station, A2)).toMatchObject({ delivery: 'unreachable' });
  wled.mood('well');
  wled.reboot();
  await station.clock.advance(40_000);
  expect(wled.colors().slice(0, 5)).toEqual(['FF0000', 'FF0000', 'FF0000', '0000FF', '0000FF']);
  expect(await firstOf(station, A2)).toMatchObject({ state: 'shown' });
});

test('places can change while the link is running: numbers are kept, labels follow, and LEDs without a place turn off', async () => {
  const { station, wled, link } = await startStrip();
  for (const id of [A1, A2])
    await station.post(`/api/device/${id}/`, { command: 'pick', line1: 'x', color: 'red', seconds: 0 });
  await station.clock.advance(100);
  const changed = await station.patch<TurboLink>(`/api/turbo/links/${link.id}/`, {
    places: [
      { label: 'B-7', start: 10, count: 1 },
      { label: 'A-2', start: 4, count: 2 },
    ],
  });
  expect(changed.places).toMatchObject([
    { number: 2, label: 'A-2', start: 4, deviceid: A2 },
    { number: 3, label: 'B-7', start: 10, deviceid: 'D3E4F5:000003' },
  ]);
  await station.clock.advance(200);
  expect(wled.colors().slice(0, 7)).toEqual([DARK, DARK, DARK, DARK, 'FF0000', 'FF0000', DARK]);
  expect(await station.device(A1)).toMatchObject({ online: false });
  expect(await station.device('D3E4F5:000003')).toMatchObject({ location: 'B-7', online: true });

  // The device and its place share one label, wherever it is set.
  await station.post(`/api/device/${A2}/`, { locationoverride: 'C-1' });
  expect((await linksOf(station))[0]?.places[0]).toMatchObject({ number: 2, label: 'C-1' });
  const renamed = await station.patch<TurboLink>(`/api/turbo/links/${link.id}/`, {
    places: [{ number: 2, label: 'C-2', start: 4, count: 2 }],
  });
  expect(renamed.places).toMatchObject([{ number: 2, label: 'C-2' }]);
  await station.clock.advance(100);
  expect(await station.device(A2)).toMatchObject({ location: 'C-2' });
});

test('warns about a new label that a device, an alias or a place of another controller already has', async () => {
  const { station, link } = await startStrip();
  await station.post('/api/device/', { deviceid: '51D0AB:0000AA', label: 'B-7' });
  await station.post('/api/location-aliases/', { name: 'Bin', deviceid: '51D0AB:0000AA', deviceIs: 'Above' });
  const path = `/api/turbo/links/${link.id}/`;
  const [first, second] = link.places.map(({ number, label, start, count }) => ({ number, label, start, count }));
  const rename = (label: string) => station.patch<SavedTurboLink>(path, { places: [{ ...first, label }, second] });
  expect((await rename('b-7')).warnings).toEqual([
    '/places/0/label: 51D0AB:0000AA has the label "b-7" too. A location cannot tell them apart: change one of the labels.',
  ]);
  await station.clock.advance(200);
  expect((await rename('b-7')).warnings).toBeUndefined();
  expect((await rename('bin')).warnings).toEqual([
    '/places/0/label: An alias of 51D0AB:0000AA has the name "bin" and is found first. Change the label or the alias.',
  ]);
  expect((await rename('A-9')).warnings).toBeUndefined();
  const away = { kind: 'wled', places: [{ label: 'X-1', start: 0, count: 1 }] };
  await station.post('/api/turbo/links/', { ...away, url: 'http://192.0.2.1/' });
  expect(await station.post('/api/turbo/links/', { ...away, url: 'http://192.0.2.2/' })).toMatchObject({
    warnings: ['/places/0/label: A place of another controller has the label "X-1" too. Change one of the labels.'],
  });
});

test('a new label of a place warns like that of any device: about goods without a light, aliases and names that look alike', async () => {
  const { station, link } = await startStrip();
  await station.post('/api/articles/', { sku: 'X', places: [{ location: 'A-1', on_hand: 4 }, { location: 'A-2' }] });
  const path = `/api/turbo/links/${link.id}/`;
  const [first, second] = link.places.map(({ number, start, count }) => ({ number, start, count }));
  const labels = async () => [(await station.device(A1)).locationoverride, (await station.device(A2)).locationoverride];
  const set = (one: string, two: string, query = '') =>
    station.request('PATCH', `${path}${query}`, {
      places: [
        { ...first, label: one },
        { ...second, label: two },
      ],
    });
  const warningsOf = ({ body }: { body: unknown }) => (body as SavedTurboLink).warnings;

  const lost = expect.stringMatching(/^\/places: A-1 has goods \(X\) and no light any more/) as string;
  expect(await set('B-1', 'A-2', '?strict=1')).toMatchObject({ status: 400, body: { errors: [{ path: '/places' }] } });
  expect(await labels()).toEqual(['A-1', 'A-2']);
  expect(warningsOf(await set('B-1', 'A-2'))).toEqual([lost]);
  expect(await labels()).toEqual(['B-1', 'A-2']);
  expect(await station.get('/api/alerts/')).toMatchObject([{ kind: 'place_dark' }]);

  // Places that exchange their labels keep their lights.
  expect(warningsOf(await set('A-1', 'A-2', '?strict=1'))).toBeUndefined();
  const exchanged = await set('A-2', 'A-1', '?strict=1');
  expect([exchanged.status, warningsOf(exchanged)]).toEqual([200, undefined]);
  expect(await labels()).toEqual(['A-2', 'A-1']);

  await station.post('/api/device/', { deviceid: '51D0AB:0000AA', label: 'F-10' });
  await station.post('/api/location-aliases/', { name: 'Bin', deviceid: A1, deviceIs: 'Above' });
  expect(warningsOf(await set('F 10', 'A-1'))).toEqual([
    `/places/0/label: ${A1} keeps its aliases: Bin. Move or delete those that do not belong to its new place.`,
    expect.stringContaining('/places/0/label: "F 10" looks like "F-10"'),
    expect.stringMatching(/^\/places: A-2 has goods/),
  ]);
});

test('reports places with LEDs beyond the end or outside any segment, and lights a place that spans segments', async () => {
  const places = [
    { label: 'A-1', start: 8, count: 4 },
    { label: 'A-2', start: 20, count: 5 },
    { label: 'A-3', start: 58, count: 4 },
    { label: 'A-4', start: 90, count: 1 },
  ];
  const { station, wled } = await startStrip(places, {
    segments: [
      [0, 10],
      [10, 20],
      [40, 60],
    ],
  });
  expect((await linksOf(station))[0]?.problems).toEqual([
    'A-2: LEDs 20 to 24 are partly in no segment of Rack 3. Extend a segment over them in WLED.',
    'A-3: LEDs 58 to 61 are beyond the end of the strip, which has 60 (0 to 59).',
    'A-4: LED 90 is beyond the end of the strip, which has 60 (0 to 59).',
  ]);
  await station.post(`/api/device/${A1}/`, { command: 'pick', line1: 'x', color: 'green', seconds: 0 });
  await station.clock.advance(100);
  expect(wled.colors().slice(7, 13)).toEqual([DARK, '00FF00', '00FF00', '00FF00', '00FF00', DARK]);
  expect(await station.device(A2)).toMatchObject({ online: false });
  wled.divide([[0, 60]]);
  await station.clock.advance(6_000);
  expect(await station.device(A2)).toMatchObject({ online: true });
});

test.each([
  ['another program answers', 'page', /is no WLED controller\. Check the address\.$/],
  ['nothing answers', 'hangs', /^The controller did not answer within 3 s\.$/],
  ['the controller is busy', 'busy', /^The controller is busy: it answered 503\.$/],
] as const)(
  'if %s, the link explains it in one sentence, and the other link stays online',
  async (_what, mood, sentence) => {
    const { station, wled, more } = await startStrip();
    const other = await more({ mac: '010203040506' });
    other.mood(mood);
    await station.post('/api/turbo/links/', { kind: 'wled', url: other.url });
    await station.clock.advance(3_100);
    expect((await linksOf(station))[1]).toMatchObject({
      turbo: null,
      problem: expect.stringMatching(sentence) as string,
    });
    expect((await linksOf(station))[0]).toMatchObject({ step: 'online', problem: null });
    expect(wled.hanging()).toBe(0);
  },
);

test('refuses a second link to the same controller with an explanation, and the first link stays online', async () => {
  const { station, wled } = await startStrip();
  const alias = wled.url.replace('127.0.0.1', 'localhost');
  await station.post('/api/turbo/links/', { kind: 'wled', url: alias });
  await station.clock.advance(3_000);
  expect(await linksOf(station)).toMatchObject([
    { step: 'online', problem: null },
    { problem: `${alias} is the same controller as ${wled.url}, which is already connected. Remove one of the two.` },
  ]);
  expect(await station.device(A1)).toMatchObject({ online: true });
});

test.each([
  ['no address', { kind: 'wled' }, '/url'],
  ['an address with a password', { kind: 'wled', url: 'http://me:x@192.168.1.30/' }, '/url'],
  ['an https address', { kind: 'wled', url: 'https://192.168.1.30/' }, '/url'],
  [
    'overlapping places',
    { kind: 'wled', url: 'http://192.168.1.30/', places: [PLACES[0], { label: 'B', start: 2, count: 1 }] },
    '/places/1/start',
  ],
  [
    'a place without a label',
    { kind: 'wled', url: 'http://192.168.1.30/', places: [{ label: ' ', start: 2, count: 1 }] },
    '/places/0/label',
  ],
  ['places of an access point', { kind: 'openepaperlink', url: 'http://192.168.1.30/', places: PLACES }, '/places'],
  ['no path', {}, '/path'],
])('a link with %s is refused and changes nothing', async (_what, body, path) => {
  await using station = await startTestStation();
  const refused = await station.request('POST', '/api/turbo/links/', body);
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  expect(await linksOf(station)).toEqual([]);
});

test('removing a link leaves its devices offline, and a new link to the controller brings them online again', async () => {
  const { station, wled, link } = await startStrip();
  await station.post(`/api/device/${A1}/`, { command: 'pick', line1: 'x', color: 'red', seconds: 0 });
  await station.clock.advance(100);
  expect((await station.request('DELETE', `/api/turbo/links/${link.id}/`)).status).toBe(204);
  await station.clock.advance(100);
  expect(await station.device(A1)).toMatchObject({ online: false, commands: [{ state: 'shown' }] });
  await station.post('/api/turbo/links/', {
    kind: 'wled',
    url: wled.url,
    places: [{ label: 'Z-1', start: 0, count: 3 }],
  });
  await station.clock.advance(1_000);
  expect(await station.device(A1)).toMatchObject({ online: true, location: 'Z-1', commands: [{ state: 'shown' }] });
  expect(wled.colors()[0]).toBe('FF0000');
});
