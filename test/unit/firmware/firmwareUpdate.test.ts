import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flashBytes, isReplaced, sha256 } from '../../../electron/server/turbo/boards/firmware.ts';
import type { RequestMessage } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { BoardBench } from '../../helpers/boards/boardBench.ts';
import { online, powerOn, updateBoard } from '../../helpers/boards/boardUpdate.ts';
import { brokenFirmware, newFirmware, silentFirmware } from '../../helpers/boards/newFirmware.ts';
import { startInterpreter } from '../../helpers/boards/interpreter.ts';
import { PowerCut } from '../../helpers/boards/microPythonBoard.ts';

test('writes new firmware next to the old one, keeps it once its hello is answered, and writes the next update to the other folder', async () => {
  const bench = new BoardBench();
  await online(bench);
  expect(bench.greeting).toMatchObject({ firmware: 101, software: 'unknown' });
  bench.show({ token: 0, content: { lines: ['A-1'] } });
  bench.run(200);
  const first = newFirmware();
  expect(await updateBoard(bench, first)).toEqual({
    answer: 'done',
    steps: ['connecting', 'writing', 'restarting'],
  });
  expect(bench.greeting).toMatchObject({ firmware: 102, software: first.version });
  expect(bench.board?.ask('running')).toBe('a');
  // The saved data is still on the board.
  bench.run(300);
  expect(bench.statuses.at(-1)?.backgroundChecksum).toBe(2);
  const second = newFirmware('core/codec.py', 'FIRMWARE = 101', 'FIRMWARE = 103');
  expect((await updateBoard(bench, second)).answer).toBe('done');
  expect(bench.board?.ask('running')).toBe('b');
  await online(bench);
  expect(bench.greeting).toMatchObject({ firmware: 103, software: second.version });
  expect((await updateBoard(bench, first)).answer).toBe('done');
  expect(bench.board?.ask('running')).toBe('a');
});

test.each([
  ['raises when it is imported', brokenFirmware],
  ['never says hello', silentFirmware],
])('the board abandons firmware that %s, and reports the version that it runs', async (_what, firmware) => {
  const bench = new BoardBench();
  await online(bench);
  const old = newFirmware();
  expect((await updateBoard(bench, old)).answer).toBe('done');
  const { version } = firmware();
  expect((await updateBoard(bench, firmware())).answer).toBe(
    `The new firmware (${version}) did not come online, and the board went back. It runs ${old.version} again.`,
  );
  // The board keeps running the old firmware, and accepts the next update.
  await online(bench);
  expect(bench.board?.ask('running')).toBe('a');
  expect((await updateBoard(bench, newFirmware('core/codec.py', 'FIRMWARE = 101', 'FIRMWARE = 104'))).answer).toBe(
    'done',
  );
  expect(bench.board?.ask('running')).toBe('b');
});

test('if the station is offline during the trial, the board runs its previous firmware after three starts, and stays there', async () => {
  const bench = new BoardBench();
  await online(bench);
  const trials = new Set<unknown>();
  const { answer } = await updateBoard(bench, newFirmware(), (_round, steps) => {
    if (!steps.includes('restarting')) return;
    if (bench.board?.ask('running') === 'a') trials.add(bench.board);
    // The station is back once the trial has failed.
    bench.isWelcome = trials.size > 0 && bench.board?.ask('running') === '';
  });
  expect(answer).toMatch(/went back\. It runs unknown again\.$/);
  expect(trials.size).toBe(3);
  for (let starts = 0; starts < 3; starts += 1) {
    await online(bench);
    expect(bench.board?.ask('running')).toBe('');
  }
  expect(bench.greeting).toMatchObject({ firmware: 101, software: 'unknown' });
});

test('waits while a command is lit or a press is pending, and delivers each press once', async () => {
  const bench = new BoardBench();
  await online(bench);
  bench.show({ token: 7, quantity: 2 });
  bench.run(200);
  let presses = 0;
  const { answer, steps } = await updateBoard(bench, newFirmware(), (round) => {
    if (round === 150) expect(bench.board?.press('plus')).toBeGreaterThan(0);
    if (round === 200) expect(bench.board?.press('front')).toBeGreaterThan(0);
    if (round > 250 && round % 40 === 0 && presses < 5 && (bench.board?.press('front') ?? 0) > 0) presses += 1;
    if (round === 700) bench.show({ token: 8 });
    if (round === 800) bench.board?.press('front');
  });
  expect(answer).toBe('done');
  expect(steps.slice(0, 2)).toEqual(['connecting', 'in_use']);
  expect(steps.filter((step) => step === 'in_use').length).toBeGreaterThan(1);
  bench.run(3_000);
  const reports = [...bench.reports.values()];
  expect(reports.filter(({ body }) => body.token === 7)).toHaveLength(2);
  expect(reports.filter(({ body }) => body.token === 0)).toHaveLength(presses);
  expect(presses).toBe(5);
});

test('refuses an update without room in flash, and cleans up if the flash fills halfway', async () => {
  const bench = new BoardBench();
  await online(bench);
  const full = /^The flash of the board is full\. It runs what it ran before/;
  bench.flash.free = 150_000;
  expect((await updateBoard(bench, newFirmware())).answer).toMatch(full);
  expect(bench.flash.updates().size).toBe(0);
  bench.flash.free = 1_000_000;
  const { answer } = await updateBoard(bench, newFirmware(), (round) => {
    if (round === 60) bench.flash.free = 2_000;
  });
  expect(answer).toMatch(full);
  bench.run(1_000);
  expect(bench.flash.updates().size).toBe(0);
  bench.flash.free = 1_000_000;
  expect((await updateBoard(bench, newFirmware())).answer).toBe('done');
});

test('detects damage in flash before the new firmware starts, sends all files again, and gives up after five attempts', async () => {
  const bench = new BoardBench();
  await online(bench);
  let damages = 1;
  bench.flash.written = (name) => {
    const bytes = bench.flash.files.get(name);
    if (name !== 'a/core/device.py' || bytes === undefined || damages === 0) return;
    damages -= 1;
    bench.flash.files.set(name, bytes.with(10, 0));
  };
  expect((await updateBoard(bench, newFirmware())).answer).toBe('done');
  const worn = new BoardBench();
  await online(worn);
  let transfers = 0;
  worn.between = (request) => {
    if (request.name === 'updatePart' && request.body.path === 'core/device.py' && request.body.at === 0)
      transfers += 1;
    return request;
  };
  worn.flash.written = (name) => {
    const bytes = worn.flash.files.get(name);
    if (name === 'a/core/device.py' && bytes !== undefined) worn.flash.files.set(name, bytes.with(10, 0));
  };
  expect((await updateBoard(worn, newFirmware())).answer).toMatch(/^Files arrived damaged in the flash of the board\./);
  expect(transfers).toBe(5);
  expect(worn.board?.ask('running')).toBe('');
});

test('completes an update over a line that loses and changes frames, and over a line that is interrupted', async () => {
  const bench = new BoardBench();
  await online(bench);
  let count = 0;
  const damage = (data: Uint8Array): Uint8Array => {
    count += 1;
    return count % 40 === 0 ? new Uint8Array() : count % 41 === 0 ? data.with(20 % data.length, 0x55) : data;
  };
  bench.up = damage;
  bench.down = damage;
  expect((await updateBoard(bench, newFirmware())).answer).toBe('done');
  const cut = new BoardBench();
  await online(cut);
  const { answer } = await updateBoard(cut, newFirmware(), (round) => {
    // The cut is longer than three heartbeats.
    if (round === 100) cut.plug(false);
    if (round === 1_100) cut.plug(true);
  });
  expect(answer).toBe('done');
  expect(cut.hellos).toBeGreaterThan(2);
});

test('a canceled update leaves nothing in flash', async () => {
  const bench = new BoardBench();
  await online(bench);
  const abort = new AbortController();
  const cancel = (round: number): void => void (round === 60 && abort.abort());
  const { answer } = await updateBoard(bench, newFirmware(), cancel, abort.signal);
  expect(answer).toBe('Cancelled. The board runs what it ran before.');
  bench.run(2_000);
  expect(bench.flash.updates().size).toBe(0);
});

/** Number of steps of a transfer between the power cuts that are tested. */
const EVERY = Number(process.env['UPDATE_POWER_CUTS'] ?? 14_983);

test.each([
  ['on a cable', {}],
  ['with signed updates', { key: 'psk_of_this_board' }],
] as const)(
  'after a power cut anywhere in an update, %s: the board starts, and the update still completes',
  { timeout: 3_600_000 },
  async (_what, options) => {
    const whole = new BoardBench(options);
    await online(whole);
    const from = whole.flash.steps;
    await updateBoard(whole, newFirmware());
    const to = whole.flash.steps;
    expect(to - from).toBeGreaterThan(70_000);
    // The last 36 steps are three records of twelve: the switch, the start, and the answered hello.
    const cuts = Array.from({ length: 9 }, (_, index) => to - 36 + index * 4);
    for (let cutAt = from; cutAt < to - 36; cutAt += EVERY) cuts.push(cutAt);
    for (const cutAt of cuts) {
      const bench = new BoardBench(options);
      await online(bench);
      bench.flash.cutAt = cutAt;
      let answer: string | undefined;
      try {
        ({ answer } = await updateBoard(bench, newFirmware()));
      } catch (error) {
        // The power failed during the start.
        if (!(error instanceof PowerCut)) throw error;
        await powerOn(bench);
        ({ answer } = await updateBoard(bench, newFirmware()));
      }
      expect(answer, `cut before step ${cutAt}`).toBe('done');
      expect(bench.board?.ask('running'), `cut before step ${cutAt}`).toBe('a');
    }
  },
);

/** Connects a board to a line on which the test sends the frames of an update one by one. */
async function byHand() {
  const bench = new BoardBench();
  await online(bench);
  const ask = (request: RequestMessage): string | undefined => {
    const { answer } = bench.send(request);
    bench.run(100);
    return answer();
  };
  const head = { bytes: 10, files: 1 };
  return {
    bench,
    begin: () => ask({ name: 'update', body: { ...head, step: 'begin', hash: new Uint8Array() } }),
    part: (path: string, at: number, text: string, hash?: Uint8Array) =>
      ask({ name: 'updatePart', body: { path, at, data: Buffer.from(text), ...(hash && { hash }) } }),
    change: (hash: Uint8Array, files = 1) => ask({ name: 'update', body: { ...head, files, step: 'switch', hash } }),
  };
}

test("accepts a version's files only in order, between the begin and the switch", async () => {
  const { bench, begin, part } = await byHand();
  expect(part('core/app.py', 0, 'x')).toBe('damaged');
  for (const path of ['../main.py', 'main.py', '/core/app.py', 'core/../../main.py', 'core/./app.py']) {
    expect([begin(), part(path, 0, 'x')], path).toEqual(['ok', 'damaged']);
  }
  expect([begin(), part('core/app.py', 1, 'x')]).toEqual(['ok', 'damaged']);
  expect([begin(), part('core/app.py', 0, 'x'), part('core/app.py', 2, 'x')]).toEqual(['ok', 'ok', 'damaged']);
  bench.run(100);
  expect([begin(), part('core/app.py', 0, 'x'), part('core/two.py', 1, 'x')]).toEqual(['ok', 'ok', 'damaged']);
  bench.run(100);
  expect(bench.flash.updates().size).toBe(0);
});

test('a switch needs all files, and the board answers it before it restarts', async () => {
  const { bench, begin, part, change } = await byHand();
  const path = 'boards/run.py';
  const whole = sha256(Buffer.from('xy'));
  const all = sha256(Buffer.concat([Buffer.from(path), whole]));
  const send = () => [begin(), part(path, 0, 'x'), part(path, 1, 'y', whole)];
  for (const [hash, files] of [
    [all, 2],
    [whole, 1],
  ] as const) {
    expect(send()).toEqual(['ok', 'ok', 'ok']);
    expect(change(hash, files)).toBe('damaged');
    bench.run(100);
  }
  expect([begin(), part(path, 0, 'x'), change(all)]).toEqual(['ok', 'ok', 'damaged']);
  bench.run(100);
  expect(bench.flash.files.has('boot0')).toBe(false);
  expect(send()).toEqual(['ok', 'ok', 'ok']);
  expect(change(all)).toBe('ok');
  expect(bench.board?.isRestarting()).toBe(false);
  bench.run(400);
  expect(bench.board?.isRestarting()).toBe(true);
});

test('if the answer to the switch is lost, does not send anything twice, and removes the files of an earlier version', async () => {
  const bench = new BoardBench();
  await online(bench);
  bench.flash.write('a/core/old.py', Uint8Array.of(1));
  bench.flash.written = (name) => void (name.startsWith('boot') && bench.plug(false));
  const { answer, steps } = await updateBoard(bench, newFirmware(), () => {
    if (bench.board?.ask('running') === 'a') bench.plug(true);
  });
  expect([answer, steps]).toEqual(['done', ['connecting', 'in_use', 'writing', 'connecting']]);
  expect(bench.board?.ask('running')).toBe('a');
  expect(bench.flash.files.has('a/core/old.py')).toBe(false);
});

test('with a boot record truncated anywhere, a board starts a confirmed version or the one on trial, and ends the trial', async () => {
  const python = await startInterpreter({ wires: {} });
  python.run(`
from versions import STARTS, Versions

class Flash:
    def __init__(self, files=None):
        self.files, self.left = dict(files or {}), 10000
    def read(self, name):
        return self.files.get(name)
    def write(self, name, data):
        size = min(len(data), self.left)
        self.left -= size + 1
        self.files[name] = bytes(data[:size])
        if size < len(data) or self.left < 0:
            raise OSError(5)

def always(folder):
    return True

def starts(flash, most=9):
    return [Versions(flash).choose(always) for _ in range(most)]

# A bit of the newer record changes: the older one counts.
flash = Flash()
Versions(flash).switch(1)
versions = Versions(flash)
versions.switch(2)
found = set()
for at in range(11):
    bad = Flash(flash.files)
    data = bytearray(bad.files["boot1"])
    data[at] ^= 1
    bad.files["boot1"] = bytes(data)
    found.add(Versions(bad).trial)
print(versions.trial, found)

# A on trial, never answered.
flash = Flash()
versions = Versions(flash)
print(repr(versions.choose(always)), versions.other())
versions.switch(1)
print(starts(flash, STARTS + 2))

# Answered, then b on trial: cut anywhere.
flash = Flash()
versions = Versions(flash)
versions.choose(always)
versions.switch(1)
versions = Versions(flash)
print(versions.choose(always), versions.is_on_trial())
versions.confirm()
print(versions.is_on_trial(), versions.other())
seen = set()
for left in range(12):
    torn = Flash(flash.files)
    versions = Versions(torn)
    versions.choose(always)
    torn.left = left
    try:
        versions.switch(2)
    except OSError:
        pass
    torn.left = 10000
    seen.add((left < 11, ",".join(starts(torn))))
print(sorted(seen))
for left in range(40):
    torn = Flash(flash.files)
    versions = Versions(torn)
    versions.choose(always)
    versions.switch(2)
    for _ in range(left // 12):
        Versions(torn).choose(always)
    torn.left = left % 12
    versions = Versions(torn)
    versions.choose(always)
    torn.left = 10000
    assert starts(torn, 9)[-1] == "a", left
    # Its files are gone.
    assert Versions(torn).choose(lambda folder: folder != "a") == ""
`);
  expect(python.printed()).toEqual([
    '2 {1}',
    "'' 1",
    "['a', 'a', 'a', '', '']",
    'a True',
    'False 2',
    "[(False, 'b,b,b,a,a,a,a,a,a'), (True, 'a,a,a,a,a,a,a,a,a')]",
  ]);
});

test('docs/boards.md says how much free flash an update needs', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'boards.md'), 'utf8');
  const said = Number(/An update needs (\d+) KB of free flash/.exec(page)?.[1]) * 1_000;
  const spare = 32_768;
  const needed = flashBytes(newFirmware().files.filter(({ path }) => isReplaced(path))) + spare;
  expect(said).toBeGreaterThanOrEqual(needed);
  expect(said).toBeLessThan(needed * 1.1);
});
