import { expect, test } from 'vitest';
import { BoardBench } from '../../helpers/boards/boardBench.ts';
import { seededFraction } from '../../helpers/seeded.ts';

/** Boots the board and lets it connect. */
async function online(bench: BoardBench): Promise<void> {
  await bench.boot();
  bench.run(300);
}

/** Returns the tokens of the received front presses and ends. Ignores other reports. */
function endedTokens(bench: BoardBench): number[] {
  return [...bench.reports.values()]
    .filter(({ body }) => body.token !== 0 && (!('button' in body) || body.button === 'front'))
    .map(({ body }) => body.token)
    .toSorted((a, b) => a - b);
}

test('loses no press over a cable that drops, truncates and changes data, and never reports a press under two numbers', async () => {
  const random = seededFraction(7);
  const bench = new BoardBench();
  const damage = (data: Uint8Array): Uint8Array => {
    const chance = random();
    if (chance < 0.1) return new Uint8Array();
    if (chance < 0.15) return data.subarray(0, Math.floor(random() * data.length));
    if (chance < 0.2) return data.map((byte) => (random() < 0.02 ? byte ^ 0x55 : byte));
    return data;
  };
  await online(bench);
  bench.up = damage;
  bench.down = damage;
  for (let token = 1; token <= 15; token += 1) {
    bench.show({ token, quantity: 5 });
    for (let waited = 0; bench.board?.ask('token') !== String(token); waited += 1) {
      expect(waited).toBeLessThan(600);
      bench.run(100);
    }
    bench.board?.press('plus');
    bench.board?.press('front');
    bench.run(100);
  }
  bench.run(120_000);
  expect(endedTokens(bench)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
  expect([...bench.reports.values()].filter(({ body }) => 'button' in body && body.button === 'plus')).toHaveLength(15);
});

/**
 * Sends a background and two commands, and presses plus and front on each command. The station cannot store the presses of the second
 * command. Returns the tokens of the front presses that the worker saw accepted.
 */
function work(bench: BoardBench, fromToken: number): number[] {
  const taken: number[] = [];
  const { board } = bench;
  const isOn = bench.survives(() => {
    bench.show({ token: 0, content: { lines: ['A-1'] } });
    if (!bench.run(200)) return;
    for (const token of [fromToken, fromToken + 1]) {
      bench.show({ token, quantity: 3, content: { lines: [`Order ${token}`] } });
      if (!bench.run(200)) return;
      bench.hasDisk = token === fromToken;
      board?.press('plus');
      if (board?.ask('token') === String(token) && board.press('front') > 0) taken.push(token);
      if (!bench.run(100)) return;
    }
  });
  if (isOn) bench.run(50);
  return taken;
}

/** Number of bytes between the power cuts that are tested. `POWER_CUTS=1` cuts before each byte and takes a quarter of an hour. */
const EVERY = Number(process.env['POWER_CUTS'] ?? 499);

test('after a power cut during any write, an accepted press arrives once, and any other press at most once', async () => {
  const whole = new BoardBench();
  await online(whole);
  const first = whole.flash.steps;
  work(whole, 100);
  const last = whole.flash.steps;
  expect(last - first).toBeGreaterThan(1_000);
  for (let cutAt = first; cutAt < last; cutAt += EVERY) {
    const bench = new BoardBench();
    await online(bench);
    bench.flash.cutAt = cutAt;
    const taken = work(bench, 100);
    bench.flash.cutAt = Infinity;
    bench.hasDisk = true;
    await online(bench);
    // The board's counters continue after the power cut.
    taken.push(...work(bench, 200));
    bench.hasDisk = true;
    bench.run(5_000);
    const came = endedTokens(bench);
    expect(new Set(came).size, `cut before byte ${cutAt}: ${came.join()}`).toBe(came.length);
    expect(came, `cut before byte ${cutAt}`).toEqual(expect.arrayContaining(taken));
    expect(taken, `cut before byte ${cutAt}`).toContain(200);
  }
}, 3_600_000);
