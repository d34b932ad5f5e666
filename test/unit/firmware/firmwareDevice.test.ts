import { expect, test } from 'vitest';
import { bitmap, BoardBench } from '../../helpers/boards/boardBench.ts';
import type { MicroPythonBoard } from '../../helpers/boards/microPythonBoard.ts';

async function online(bench: BoardBench): Promise<MicroPythonBoard> {
  const board = await bench.boot();
  bench.run(300);
  return board;
}

const bodies = (bench: BoardBench) => [...bench.reports.values()].map(({ body }) => body);

test('reports itself as a turbo with one device that takes bitmaps', async () => {
  const bench = new BoardBench({ uniqueId: 'chip-1' });
  const board = await online(bench);
  expect(bench.statuses).toHaveLength(1);
  expect(bench.synced).toBe(1);
  expect(bench.statuses[0]).toMatchObject({
    device: board.deviceId,
    firmware: 101,
    buttons: 3,
    capabilities: 2,
    batteryMv: 3_000,
    rssiDbm: -60,
    shownToken: 0,
    reachable: true,
  });
});

test('the light has the color and brightness of its command, is steady or blinks once per second, and turns off with the command', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  bench.show({ token: 1, color: 0xff8000, brightness: 50 });
  bench.run(100);
  expect(board.led).toEqual([127, 64, 0]);
  bench.show({ token: 2, color: 0xff8000, brightness: 50, fixedBrightness: true, led: 'blink' });
  bench.run(100);
  board.leds.length = 0;
  bench.run(2_000);
  expect(board.leds.map(([red]) => red)).toEqual([0, 255, 0, 255]);
  board.press('front');
  expect(board.led).toEqual([0, 0, 0]);
  bench.show({ token: 3, color: 0, led: 'steady' });
  bench.run(100);
  expect(board.led).toEqual([0, 0, 0]);
});

test('when work replaces the background, light and token change immediately, and the picture follows', async () => {
  const bench = new BoardBench({ refreshMs: 900 });
  const board = await bench.boot();
  bench.run(1_500);
  const before = board.picture;
  const { answer } = bench.show({ token: 9, seconds: 5, quantity: 2 });
  bench.run(100);
  expect(answer()).toBe('ok');
  expect(board.led).toEqual([0, 255, 0]);
  expect(board.ask('token')).toBe('9');
  expect(bench.shown.map(({ token }) => token)).toEqual([9]);
  expect(board.picture).toBe(before);
  board.press('plus');
  bench.run(2_000);
  expect(board.picture).not.toEqual(before);
  expect(bench.shown).toHaveLength(1);
  expect(board.refreshes).toHaveLength(3); // the picture of the work, then its count
  // The command's seconds count from when its light turned on.
  bench.run(2_850);
  expect(board.led).toEqual([0, 255, 0]);
  bench.run(150);
  expect(bodies(bench)).toMatchObject([
    { token: 9, button: 'plus', quantity: 3 },
    { token: 9, quantity: 3 },
  ]);
});

test('a press before the picture appears ends the lit work, and the background then replaces its picture', async () => {
  const bench = new BoardBench({ refreshMs: 900 });
  const board = await bench.boot();
  bench.run(1_500);
  bench.show({ token: 0, checksum: 77, content: { lines: ['A-1'] } });
  bench.run(1_500);
  const background = board.picture;
  bench.show({ token: 9 });
  bench.run(100);
  board.press('front');
  expect(board.led).toEqual([0, 0, 0]);
  // The picture of token 9 is still being drawn, so the next work is lit only with its own picture.
  bench.show({ token: 10, color: 0x0000ff });
  bench.run(100);
  expect(board.led).toEqual([0, 0, 0]);
  bench.run(2_000);
  expect(board.led).toEqual([0, 0, 255]);
  board.press('front');
  bench.run(2_000);
  expect(bodies(bench)).toMatchObject([
    { token: 9, button: 'front' },
    { token: 10, button: 'front' },
  ]);
  expect(board.picture).toEqual(background);
});

test('work that arrives while a background is being drawn is lit immediately, and stays lit', async () => {
  const bench = new BoardBench({ refreshMs: 900 });
  const board = await bench.boot();
  bench.run(1_500);
  bench.show({ token: 0, checksum: 77, content: { lines: ['A-1'] } });
  bench.run(300);
  bench.show({ token: 9, seconds: 3 });
  bench.run(100);
  expect(board.led).toEqual([0, 255, 0]);
  bench.run(2_000);
  expect([board.led, board.ask('token')]).toEqual([[0, 255, 0], '9']);
  bench.run(1_000);
  expect(bodies(bench)).toMatchObject([{ token: 9 }]);
  expect(bench.shown.map(({ token }) => token)).toEqual([9]);
});

test('when new work replaces old work, light and token change with the picture, even if the old work was pressed', async () => {
  const bench = new BoardBench({ refreshMs: 900 });
  const board = await bench.boot();
  bench.run(1_500);
  bench.show({ token: 9, color: 0xff0000 });
  bench.run(1_500);
  bench.show({ token: 10, color: 0x00ff00 });
  bench.run(500);
  expect([board.led, board.ask('token')]).toEqual([[255, 0, 0], '9']);
  bench.run(1_000);
  expect([board.led, board.ask('token')]).toEqual([[0, 255, 0], '10']);
  // The screen still shows the content of token 10.
  board.press('front');
  bench.show({ token: 11, color: 0x0000ff });
  bench.run(500);
  expect([board.led, board.ask('token')]).toEqual([[0, 0, 0], '0']);
  bench.run(1_600);
  expect([board.led, board.ask('token')]).toEqual([[0, 0, 255], '11']);
  expect(bench.shown.map(({ token }) => token)).toEqual([9, 10, 11]);
});

test('if the panel does not answer, turns off work that was lit before its picture, and reports it as not shown', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  board.isPanelBroken = true;
  bench.show({ token: 9 });
  bench.run(300);
  expect(bench.shown.map(({ token }) => token)).toEqual([9]);
  bench.run(25_000);
  expect(board.led).toEqual([0, 0, 0]);
  expect(bench.statuses.at(-1)).toMatchObject({ shownToken: 0, pendingToken: 9 });
  board.isPanelBroken = false;
  bench.run(1_000);
  expect(board.led).toEqual([0, 255, 0]);
  expect(bench.shown.map(({ token }) => token)).toEqual([9, 9]);
});

test('reports work that is lit before its picture as shown, with nothing pending', async () => {
  const bench = new BoardBench({ refreshMs: 900 });
  const board = await bench.boot();
  bench.run(1_500);
  bench.show({ token: 9 });
  bench.run(100);
  bench.send({ name: 'sync', body: {} });
  bench.run(200);
  expect(board.refreshes).toHaveLength(2);
  expect(bench.statuses.at(-1)).toMatchObject({ shownToken: 9, pendingToken: undefined });
});

test('if the picture is lost in flash, turns off work that was lit before its picture, and reports it as not shown', async () => {
  const bench = new BoardBench({ refreshMs: 900 });
  const board = await bench.boot();
  bench.run(1_500);
  bench.show({ token: 0, checksum: 77, content: { lines: ['A-1'] } });
  bench.run(1_500);
  // A new background is drawn. Then work arrives with the picture of the first background, whose file is damaged by now.
  bench.show({ token: 0, checksum: 99, content: { lines: ['B-2'] } });
  bench.run(300);
  const pictures = [...bench.flash.files.keys()].filter((name) => name.startsWith('picture'));
  for (const name of pictures) bench.flash.files.set(name, new Uint8Array(9));
  bench.show({ token: 10, checksum: 77, screen: { form: 'same' } });
  bench.run(100);
  expect(board.led).toEqual([0, 255, 0]);
  bench.run(2_500);
  expect([board.led, board.ask('token')]).toEqual([[0, 0, 0], '0']);
  expect(bench.statuses.at(-1)).toMatchObject({ shownToken: 0 });
  const same = bench.show({ token: 10, checksum: 77, screen: { form: 'same' } });
  bench.run(100);
  expect(same.answer()).toBe('contentMissing');
  // The screen shows no work, so the next work is lit before its picture.
  bench.show({ token: 10, checksum: 77 });
  bench.run(100);
  expect([board.led, board.ask('token')]).toEqual([[0, 255, 0], '10']);
});

test('does not flash the code for a missing station while work is lit', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  bench.show({ token: 9 });
  bench.run(300);
  bench.plug(false);
  board.leds.length = 0;
  bench.run(60_000);
  expect(board.led).toEqual([0, 255, 0]);
  expect(board.leds).toEqual([]);
  board.press('front');
  board.leds.length = 0;
  bench.run(60_000);
  expect(board.leds).toContainEqual([255, 0, 0]);
});

test('plays a tune once, with its notes and pauses', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  board.tones.length = 0;
  bench.show({ token: 1, sound: '50,a5,2,p,1,c6s,1' });
  bench.run(1_000);
  expect(board.tones).toEqual([0, 880, 0, 1_109, 0]);
});

test('ends a command when its seconds have passed, and returns to the background', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  const { answer } = bench.show({ token: 0, checksum: 77, led: 'off', content: { lines: ['A-1'] } });
  bench.run(200);
  expect(answer()).toBe('ok');
  bench.show({ token: 4, seconds: 2, quantity: 6 });
  bench.run(200);
  board.press('minus');
  bench.run(2_000);
  expect(board.led).toEqual([0, 0, 0]);
  expect(bodies(bench)).toMatchObject([
    { token: 4, button: 'minus', quantity: 5 },
    { token: 4, quantity: 5 },
  ]);
  expect(bodies(bench)[1]).not.toHaveProperty('button');
  expect(bench.shown.map(({ token, checksum }) => [token, checksum])).toMatchObject([
    [0, 77],
    [4, 3],
    [0, 77],
  ]);
  const late = bench.show({ token: 4 });
  bench.run(100);
  expect(late.answer()).toBe('alreadyEnded');
});

test('debounces contacts, and reports a held front button once, as a long press, while it is held', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  for (const [down, ms] of [
    [1, 10],
    [0, 10],
    [1, 100],
    [0, 100],
    [1, 1_500],
    [0, 100],
    [2, 50],
    [0, 10],
    [2, 10],
    [0, 100],
  ] as const) {
    board.down = down;
    bench.run(ms);
  }
  expect(bodies(bench)).toMatchObject([
    { button: 'front', hold: 'short' },
    { button: 'front', hold: 'long' },
    { button: 'plus', hold: 'short' },
  ]);
});

test('refuses a show request that it cannot draw or decode, or that is for a different device', async () => {
  const bench = new BoardBench();
  await online(bench);
  const fields = {
    form: 'fields',
    label: '',
    lines: [],
    quantity: undefined,
    arrow: undefined,
    barcode: '',
    qrcode: '',
    icon: '',
  } as const;
  const answers = [
    bench.show({ screen: fields }),
    bench.show({ screen: { form: 'same' } }),
    bench.show({ screen: { form: 'bitmap', packing: 'packBits', pixels: Buffer.from([1, 2, 3]) } }),
    bench.show({ screen: { form: 'bitmap', packing: 'raw', pixels: Buffer.alloc(4_735) } }),
    bench.show({ device: '51D000:000001' }),
  ];
  for (let sent = 0; sent < 5; sent += 1) bench.run(100);
  expect(answers.map(({ answer }) => answer())).toEqual([
    'refused',
    'contentMissing',
    'malformed',
    'malformed',
    'unknownDevice',
  ]);
});

test('after a power cut, shows the command and its count again, still has its background, and has lost no press', async () => {
  const bench = new BoardBench();
  let board = await online(bench);
  bench.show({ token: 0, checksum: 500, content: { lines: ['A-1'] } });
  bench.run(200);
  bench.show({ token: 8, checksum: 501, quantity: 4, color: 0x0000ff });
  bench.run(200);
  bench.plug(false);
  board.press('plus');
  const epoch = board.ask('epoch');
  board = await online(bench);
  expect(board.led).toEqual([0, 0, 255]);
  expect(board.ask('epoch')).toBe(epoch);
  expect(board.press('front')).toBeGreaterThan(0);
  bench.run(200);
  const drawn = [...board.picture];
  bench.plug(true);
  bench.run(3_000);
  expect(bodies(bench)).toMatchObject([
    { token: 8, button: 'plus', quantity: 5 },
    { token: 8, button: 'front', quantity: 5 },
  ]);
  expect(bench.statuses.at(-1)).toMatchObject({ shownToken: 0, shownChecksum: 500, backgroundChecksum: 500 });
  // The background comes from flash, byte for byte as the station sent it.
  bench.show({ token: 0, checksum: 777, content: { lines: ['A-1'] } });
  bench.run(200);
  expect([...board.picture]).toEqual(drawn);
  const same = bench.show({ token: 10, checksum: 777, screen: { form: 'same' } });
  bench.run(200);
  expect(same.answer()).toBe('ok');
  expect(board.ask('token')).toBe('10');
});

test('sends nothing and refuses presses until its first picture is drawn', async () => {
  const bench = new BoardBench({ refreshMs: 2_000 });
  const board = await bench.boot();
  bench.run(1_500);
  expect(bench.hellos).toBe(0);
  expect(board.press('front')).toBe(0);
  bench.run(1_000);
  expect(bench.hellos).toBe(1);
  expect(board.press('front')).toBeGreaterThan(0);
});

test('gives a repeated request the same answer', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  bench.up = () => new Uint8Array();
  const { answer } = bench.show({ token: 6 });
  bench.run(300);
  board.press('front');
  bench.run(300);
  bench.up = (data) => data;
  bench.run(3_000);
  // The command has ended by now, so a new request would be refused.
  expect(answer()).toBe('ok');
});

test('a background stored during a command is drawn when the command ends', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  bench.show({ token: 3 });
  bench.run(200);
  const refreshes = board.refreshes.length;
  const kept = bench.send({
    name: 'keep',
    body: { device: board.deviceId, checksum: 99, screen: bitmap({ lines: ['Later'] }) },
  });
  bench.run(200);
  expect(kept.answer()).toBe('ok');
  expect(board.refreshes).toHaveLength(refreshes);
  board.press('front');
  bench.run(200);
  expect(bench.shown.at(-1)).toMatchObject({ token: 0, checksum: 99 });
});

test('refuses a press visibly when the flash cannot store it', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  bench.show({ token: 3 });
  bench.run(200);
  bench.flash.isWornOut = true;
  board.leds.length = 0;
  expect(board.press('front')).toBe(0);
  bench.run(500);
  expect(board.leds).toContainEqual([255, 255, 255]);
  expect(board.led).toEqual([0, 255, 0]);
  expect(bench.reports.size).toBe(0);
  bench.flash.isWornOut = false;
  expect(board.press('front')).toBeGreaterThan(0);
});

test('restarts a panel that never finishes, and reports nothing as shown in the meantime', async () => {
  const bench = new BoardBench();
  const board = await bench.boot();
  board.isPanelBroken = true;
  bench.run(30_000);
  expect(bench.statuses).not.toEqual([]);
  bench.show({ token: 5 });
  bench.run(25_000);
  expect(board.refreshes.length).toBeGreaterThanOrEqual(3);
  expect(bench.shown).toEqual([]);
  expect(board.led).toEqual([0, 0, 0]);
  board.isPanelBroken = false;
  bench.run(1_000);
  expect(bench.shown.map(({ token }) => token)).toEqual([5]);
});

test('uses less than 180 KB of heap after long use and with the maximum of held presses', async () => {
  const bench = new BoardBench();
  const board = await online(bench);
  for (let token = 1; token <= 100; token += 1) {
    bench.show({ token, quantity: 2, sound: '15,c5,4', content: { lines: [`Order ${token}`, 'Bolt M6', 'Steel'] } });
    bench.run(120);
    board.press('plus');
    board.press('front');
    bench.run(120);
  }
  const working = board.heap();
  bench.hasDisk = false;
  bench.show({ token: 999, quantity: 2 });
  bench.run(200);
  for (let press = 0; press < 63; press += 1) expect(board.press('plus')).toBeGreaterThan(0);
  expect(board.press('front')).toBeGreaterThan(0);
  expect(board.press('plus')).toBe(0);
  bench.run(200);
  const full = board.heap();
  expect(Math.max(working, full)).toBeLessThan(180 * 1_024);
  // Flash wear: a press takes one write, a command two more, and the station's answers none.
  expect((bench.flash.writes - 64) / 101).toBeLessThan(4.3);
  process.stdout.write(`Heap of a board: ${working} bytes at work, ${full} with 64 presses held\n`);
});
