import { expect, test } from 'vitest';
import type { TurboLink } from '#shared/api/turbo.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import { A1, A2, DARK, linksOf, startStrip } from './wledRig.ts';

const VERSIONS = ['0.14.4', '0.15.1', '16.0.1'] as const;
const RED = 'FF0000';
const LENGTH = 20;

type Rig = Awaited<ReturnType<typeof startStrip>>;
type Settings = Parameters<Rig['wled']['setUp']>[1];

/** Lights a place, and returns the LEDs that shine, in order. */
async function litBy({ station, wled }: Rig, device: string): Promise<number[]> {
  await station.post(`/api/device/${device}/`, { command: 'pick', line1: 'x', color: 'red', seconds: 0 });
  await station.clock.advance(100);
  return wled.colors().flatMap((color, led) => (color === DARK ? [] : [led]));
}

/** Starts a strip whose only segment has these settings. */
async function startWith(settings: Settings, places: object[], version: (typeof VERSIONS)[number]): Promise<Rig> {
  const rig = await startStrip(places, { leds: LENGTH, version });
  rig.wled.setUp(0, settings);
  await rig.station.clock.advance(6_000);
  return rig;
}

const problemsOf = async ({ station }: Rig): Promise<string[]> => (await linksOf(station))[0]?.problems ?? [];
const GROUPED =
  'because of the grouping or the mirror effect of segment 0 of Rack 3, so the place stays dark. Set grouping to 1 and turn the mirror effect off in WLED, or give the place these LEDs, too.';

type Layout = { version: (typeof VERSIONS)[number]; what: string; settings: Settings; start?: number; count?: number };

test.each(
  VERSIONS.flatMap((version): Layout[] => [
    { version, what: 'reversed', settings: { rev: true } },
    { version, what: 'shifted', settings: { of: 7 } },
    { version, what: 'reversed and shifted', settings: { rev: true, of: 19 } },
    { version, what: 'part of the strip', settings: { start: 2, stop: 18, rev: true, of: 3 } },
    { version, what: 'grouped by three', settings: { grp: 3 }, start: 3, count: 6 },
    {
      version,
      what: 'reversed and grouped from the end',
      settings: { grp: 3, rev: true, stop: 18 },
      start: 9,
      count: 3,
    },
  ]),
)('WLED $version, a segment that is $what: exactly the LEDs of the place shine', async (wanted) => {
  const { start = 4, count = 3 } = wanted;
  const rig = await startWith(wanted.settings, [{ label: 'A-1', start, count }], wanted.version);
  expect(await problemsOf(rig)).toEqual([]);
  expect(await litBy(rig, A1)).toEqual(Array.from({ length: count }, (_, at) => start + at));
});

test.each(VERSIONS)(
  'WLED %s: a place that would light other LEDs, too, stays dark, and the link says why',
  async (version) => {
    const places = [
      { label: 'A-1', start: 4, count: 3 },
      { label: 'A-2', start: 12, count: 4 },
    ];
    const rig = await startWith({ grp: 2 }, places, version);
    expect(await problemsOf(rig)).toEqual([`A-1: LED 7 would shine, too, ${GROUPED}`]);
    expect(await rig.station.device(A1)).toMatchObject({ online: false });
    expect(await litBy(rig, A1)).toEqual([]);
    expect(await litBy(rig, A2)).toEqual([12, 13, 14, 15]);
    rig.wled.setUp(0, { grp: 1 });
    await rig.station.clock.advance(6_000);
    expect(await problemsOf(rig)).toEqual([]);
    expect(rig.wled.colors().flatMap((color, led) => (color === RED ? [led] : []))).toEqual([4, 5, 6, 12, 13, 14, 15]);
  },
);

test.each(VERSIONS)('WLED %s: a mirrored segment lights a place only if it has both ends', async (version) => {
  const places = [
    { label: 'A-1', start: 1, count: 2 },
    {
      label: 'A-2',
      ranges: [
        { start: 15, count: 2 },
        { start: 3, count: 2 },
      ],
    },
  ];
  const rig = await startWith({ mi: true }, places, version);
  expect(await problemsOf(rig)).toEqual([`A-1: LEDs 17 to 18 would shine, too, ${GROUPED}`]);
  expect(await litBy(rig, A2)).toEqual([3, 4, 15, 16]);
  expect(await rig.station.device(A2)).toMatchObject({ commands: [{ state: 'shown' }] });
});

test.each(VERSIONS)(
  'WLED %s: lights no place in a segment with spacing, where lights would go out again',
  async (version) => {
    const rig = await startWith({ spc: 1 }, [{ label: 'A-1', start: 0, count: 1 }], version);
    expect(await problemsOf(rig)).toEqual([
      'A-1: the spacing of segment 0 of Rack 3 hides lights. Set it to 0 in WLED.',
    ]);
    expect(await rig.station.device(A1)).toMatchObject({ online: false });
    rig.wled.setUp(0, { spc: 0 });
    await rig.station.clock.advance(6_000);
    expect(await litBy(rig, A1)).toEqual([0]);
  },
);

test.each(VERSIONS)('WLED %s: lights follow when the owner sets up the segment differently', async (version) => {
  const rig = await startWith({}, [{ label: 'A-1', start: 4, count: 4 }], version);
  await litBy(rig, A1);
  for (const settings of [{ rev: true }, { of: 5 }, { grp: 4 }, { stop: 16, grp: 2, of: 0 }, { rev: false }]) {
    rig.wled.setUp(0, settings);
    await rig.station.clock.advance(6_000);
    const lit = rig.wled.colors().flatMap((color, led) => (color === DARK ? [] : [led]));
    expect(lit, JSON.stringify(settings)).toEqual(lit.length === 0 ? [] : [4, 5, 6, 7]);
    expect((await problemsOf(rig)).length > 0, JSON.stringify(settings)).toBe(lit.length === 0);
  }
});

test.each([
  ['the owner sets up the segment differently', async ({ wled }: Rig) => wled.setUp(0, { rev: true }), [4, 5, 6]],
  [
    'a script moves the place',
    async ({ station, link }: Rig) =>
      station.patch(`/api/turbo/links/${link.id}/`, { places: [{ number: 1, label: 'A-1', start: 9, count: 2 }] }),
    [9, 10],
  ],
])('a light whose request is unanswered while %s is lit at the LEDs of its place', async (_what, change, leds) => {
  const rig = await startStrip([{ label: 'A-1', start: 4, count: 3 }], { leds: LENGTH });
  const { station, wled } = rig;
  // The next poll is soon, before the request without an answer counts as failed.
  await station.clock.advance(3_500);
  wled.mood('late');
  await litBy(rig, A1);
  await change(rig);
  await station.clock.advance(1_500);
  wled.mood('well');
  await station.clock.advance(500);
  expect(wled.colors().flatMap((color, led) => (color === RED ? [led] : []))).toEqual(leds);
  expect((await station.device(A1)).commands).toMatchObject([{ state: 'shown' }]);
});

test.each(VERSIONS)('WLED %s: a switched-off segment with a light is switched on again', async (version) => {
  const rig = await startWith({}, [{ label: 'A-1', start: 4, count: 3 }], version);
  expect(await litBy(rig, A1)).toEqual([4, 5, 6]);
  rig.wled.setUp(0, { on: false });
  await rig.station.clock.advance(6_000);
  expect(rig.wled.colors().slice(4, 7)).toEqual([RED, RED, RED]);
});

test('says that the blend mode of a segment or a matrix hides lights', async () => {
  const places = [{ label: 'A-1', start: 4, count: 3 }];
  const mixed = await startWith({ bm: 1 }, places, '16.0.1');
  expect(await problemsOf(mixed)).toEqual([
    'A-1: the blend mode of segment 0 of Rack 3 hides lights. Set it to Top/Default in WLED.',
  ]);
  expect(await litBy(mixed, A1)).toEqual([]);
  const matrix = await startStrip(places, { leds: LENGTH, isMatrix: true });
  expect(await problemsOf(matrix)).toEqual([
    'Rack 3 is a 2D matrix, on which the station lights no places. Set it up as a strip in WLED.',
  ]);
  expect(await matrix.station.device(A1)).toMatchObject({ online: false });
});

test('a place can have several ranges, which a script reads, changes and moves with its light', async () => {
  const ranges = [
    { start: 2, count: 2 },
    { start: 17, count: 1 },
  ];
  const rig = await startStrip(
    [
      { label: 'A-1', ranges: ranges.toReversed() },
      { label: 'A-2', start: 4, count: 1 },
    ],
    {
      leds: LENGTH,
    },
  );
  const { station, link } = rig;
  expect(link.places).toMatchObject([
    { label: 'A-1', start: 2, count: 2, ranges },
    { label: 'A-2', start: 4, count: 1, ranges: [{ start: 4, count: 1 }] },
  ]);
  expect(await litBy(rig, A1)).toEqual([2, 3, 17]);
  const path = `/api/turbo/links/${link.id}/`;
  const moved = [
    { start: 2, count: 1 },
    { start: 10, count: 2 },
  ];
  // A program may send what it has read, with the fields that it changed.
  const [first, second] = (await linksOf(station))[0]?.places ?? [];
  await station.patch(path, { places: [{ ...first, count: 1, ranges: moved }, second] });
  await station.clock.advance(200);
  expect(rig.wled.colors().flatMap((color, led) => (color === DARK ? [] : [led]))).toEqual([2, 10, 11]);
  await station.restart();
  await station.clock.advance(1_000);
  expect((await linksOf(station))[0]?.places[0]).toMatchObject({ number: 1, ranges: moved, deviceid: A1 });
});

test.each([
  ['no first LED', { label: 'A', count: 1 }, '/places/0/start'],
  ['no number of LEDs', { label: 'A', start: 1 }, '/places/0/count'],
  ['an empty list of ranges', { label: 'A', ranges: [] }, '/places/0/ranges'],
  [
    'a first LED that is not of its first range',
    { label: 'A', start: 1, ranges: [{ start: 0, count: 2 }] },
    '/places/0/start',
  ],
  [
    'a number of LEDs that is not of its first range',
    { label: 'A', count: 3, ranges: [{ start: 0, count: 2 }] },
    '/places/0/count',
  ],
  [
    'ranges that overlap',
    {
      label: 'A',
      ranges: [
        { start: 0, count: 2 },
        { start: 1, count: 2 },
      ],
    },
    '/places/0/start',
  ],
])('a place with %s is refused', async (_what, place, path) => {
  const { station, link } = await startStrip([]);
  const refused = await station.request('PATCH', `/api/turbo/links/${link.id}/`, { places: [place] });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  expect((await linksOf(station))[0]?.places).toEqual([]);
});

test.each([1, 2, 3, 4])(
  'however segments are set up, only LEDs of the place shine, or none (seed %i)',
  async (seed) => {
    const random = seededFraction(seed);
    const whole = (most: number): number => Math.floor(random() * (most + 1));
    const version = VERSIONS[whole(2)] ?? '0.15.1';
    const rig = await startStrip([{ label: 'A-1', start: 0, count: 1 }], { leds: LENGTH, version });
    const { station, wled, link } = rig;
    await litBy(rig, A1);
    for (let round = 0; round < 40; round += 1) {
      // Segments shrink only in versions that darken what leaves them.
      const start = version === '0.15.1' ? 0 : whole(5);
      const size = version === '0.15.1' ? LENGTH : 8 + whole(7);
      const settings = { start, stop: start + size, rev: whole(1) === 1, mi: whole(1) === 1, grp: 1 + whole(2) };
      wled.setUp(0, { ...settings, of: whole(size - 1) });
      const ranges = [
        { start: whole(7), count: 1 + whole(4) },
        { start: 12 + whole(4), count: 1 + whole(3) },
      ];
      await station.patch(`/api/turbo/links/${link.id}/`, { places: [{ number: 1, label: 'A-1', ranges }] });
      await station.clock.advance(12_000);
      const own = new Set(ranges.flatMap((range) => Array.from({ length: range.count }, (_, at) => range.start + at)));
      const lit = wled.colors().flatMap((color, led) => (color === RED ? [led] : []));
      const said = `seed ${seed}, round ${round}, WLED ${version}: ${JSON.stringify({ settings, ranges, lit })}`;
      expect(
        lit.filter((led) => !own.has(led)),
        said,
      ).toEqual([]);
      const { online } = await station.device(A1);
      expect(lit.length > 0, said).toBe(online);
      if ((await problemsOf(rig)).length === 0) expect(lit, said).toEqual([...own].toSorted((a, b) => a - b));
    }
  },
);

test('numbers and labels of places can have the types that forms and spreadsheets send', async () => {
  const { station, link: strip } = await startStrip();
  const places = [
    { label: 7, start: '10', count: '2' },
    { label: 'B', ranges: [{ start: '3', count: 1 }] },
  ];
  const link = await station.post<TurboLink>('/api/turbo/links/', { kind: 'wled', url: 'http://192.0.2.1/', places });
  const changed = await station.patch<TurboLink>(`/api/turbo/links/${strip.id}/`, { places });
  for (const { places: read } of [link, changed]) {
    expect(read).toMatchObject([
      { label: '7', ranges: [{ start: 10, count: 2 }] },
      { label: 'B', ranges: [{ start: 3, count: 1 }] },
    ]);
  }
});
