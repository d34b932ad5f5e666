import { expect, test } from 'vitest';
import { createFrameWriter, encodeFrame } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type { Message } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { bitmap, BoardBench } from '../../helpers/boards/boardBench.ts';
import { openApp, startChipBoard, type ChipBoard } from '../../helpers/boards/chipBoard.ts';
import { deviceIdOf } from '../../helpers/boards/microPythonBoard.ts';

const DAY_MS = 86_400_000;
const SCREEN = bitmap({ label: 'A-01-02', lines: ['Bolt M6', 'Steel 20', 'Box 4'], quantity: 12 });

/**
 * Starts a board in a session. Its Python is as slow as on an RP2040, and it receives the bytes in `COMING`, a list of [time, byte]. The
 * costs are high estimates: 20 us per loop step, and on a cable 60 us per read call and 4 us per byte.
 */
async function slowBoard(profile: string, link: 'cable' | 'Wi-Fi'): Promise<ChipBoard> {
  const say = await startChipBoard(profile);
  say(`
${openApp({ profile, transport: 'usb' })}
import boards.ssd1680, boards.uc8151
import core.bits as bits
SPARE = [0]
def charge(us):
    SPARE[0] += us
    advance(SPARE[0] // 1000)
    SPARE[0] %= 1000
def slow(function, steps):
    def call(*args):
        charge(20 * steps(*args))
        return function(*args)
    return call
def runs(data, packing):
    count = at = 0
    while at < len(data):
        at += data[at] + 2 if data[at] < 128 else 2
        count += 1
    return count
bits.is_picture = slow(bits.is_picture, runs)
bits.unpack = slow(bits.unpack, lambda data, packing, out: 4736)
for module in (boards.ssd1680, boards.uc8151):
    module.turn = slow(module.turn, lambda picture, out, table: 2 * 4736)
COMING, LOST, BUFFER = [], [0], bytearray()
def fill():
    while COMING and COMING[0][0] <= chip.NOW[0]:
        at, byte = COMING.pop(0)
        if len(BUFFER) < ROOM:
            BUFFER.append(byte)
        else:
            LOST[0] += 1
def take(view):
    global BUFFER
    count = min(len(view), len(BUFFER))
    view[:count] = BUFFER[:count]
    BUFFER = BUFFER[count:]
    charge(4 * count)
    return count
def read_air(view):
    fill()
    return take(view[:512])
class Cable:
    def poll(self, wait):
        fill()
        return [1] if BUFFER else []
    def readinto(self, view):
        charge(60)
        fill()
        while len(BUFFER) < len(view):
            advance(1)
            fill()
        return take(memoryview(view))
ROOM = 1000000
if "${link}" == "cable":
    board.link.poll = board.link.input = Cable()
else:
    board.link.read = read_air
board.link.write = len
turns(6000)
app.session.is_open = app.session.is_ready = app.session.is_in = True
app.session.heard = app.session.beat_at = now
`);
  return say;
}

function showFrame(token: number): string {
  const message: Message = {
    name: 'show',
    body: {
      device: deviceIdOf('chip'),
      token,
      checksum: token,
      seconds: 0,
      quantity: 12,
      led: 'steady',
      color: 0xff_ff_ff,
      brightness: 100,
      fixedBrightness: false,
      sound: '',
      screen: SCREEN,
    },
  };
  return encodeFrame(createFrameWriter(), message, token, false).toString('hex');
}

async function timeToLight(
  profile: string,
  link: 'cable' | 'Wi-Fi',
): Promise<{ bytes: number; lightMs: number; refreshMs: number }> {
  const say = await slowBoard(profile, link);
  const [answer = ''] = say(`
from binascii import unhexlify
wired.LIGHTS[:] = []
frame = unhexlify("${showFrame(7)}")
began = chip.NOW[0]
COMING.extend((began, byte) for byte in frame)
turns(3000)
print(len(frame), [at - began for at, pin, duty in wired.LIGHTS if duty][0], wired.PANELS[0].refreshes[-1])
`);
  const [bytes = 0, lightMs = Infinity, refreshMs = Infinity] = answer.split(' ').map(Number);
  return { bytes, lightMs, refreshMs };
}

test.each(['badger2040w', 'esp32s3'])('the light of a %s responds within 150 ms of the frame', async (profile) => {
  const { bytes, lightMs, refreshMs } = await timeToLight(profile, 'Wi-Fi');
  const cable = await timeToLight(profile, 'cable');
  process.stdout.write(
    `${profile}: a frame of ${bytes} bytes lights after ${lightMs} ms, from a cable after ${cable.lightMs} ms; its picture takes ${refreshMs} ms\n`,
  );
  expect(bytes).toBeGreaterThan(2_000);
  expect(lightMs).toBeLessThanOrEqual(150);
  expect(cable.lightMs).toBeLessThanOrEqual(150);
  expect(refreshMs).toBeLessThan(1_000);
});

test('a CrowPanel on a cable loses no byte of a frame at 115,200 baud, and accepts one request at a time', async () => {
  const say = await slowBoard('esp32s3', 'cable');
  expect(say('print(board.link.is_slow)')).toEqual(['True']);
  const [answer = ''] = say(`
from binascii import unhexlify
ROOM, HALF = 260, []
for number, frame in ((7, "${showFrame(7)}"), (8, "${showFrame(8)}")):
    frame = unhexlify(frame)
    COMING.extend((chip.NOW[0] + each * 10 // 115, byte) for each, byte in enumerate(frame))
    end = chip.NOW[0] + 4000
    while chip.NOW[0] < end:
        ticks = time.ticks_ms()
        now += time.ticks_diff(ticks, board.ticks)
        board.ticks = ticks
        wait = app.step(now)
        if app.session.reader.is_half():
            HALF.append(wait)
        time.sleep_ms(5 if wait is None else max(1, min(wait, 5)))
print(LOST[0], app.device.memory.view.token, max(HALF), len(HALF) > 20)
`).slice(-1);
  // The board sleeps for at most 1 ms within a frame.
  expect(answer).toBe('0 8 1 True');
  expect(
    say(`
sent = []
board.link.write = lambda view: (sent.append(bytes(view)), len(view))[1]
app.session._hello(now)
app.session._write(now)
at = 11 + 1 + sent[0][11]  # after the serial number
at += 1 + sent[0][at]  # after the name
print(sent[0][at + 10])
`).slice(-1),
  ).toEqual(['1']);
});

test('a board on a cable accepts the next request after the rest of a frame was lost', async () => {
  const say = await slowBoard('badger2040', 'cable');
  const [answer = ''] = say(`
from binascii import unhexlify
first, second = unhexlify("${showFrame(7)}"), unhexlify("${showFrame(8)}")
COMING.extend((chip.NOW[0], byte) for byte in first[:1000])
# The station repeats its request after 1.5 s.
COMING.extend((chip.NOW[0] + 1500, byte) for byte in second)
COMING.extend((chip.NOW[0] + 3000, byte) for byte in second)
turns(6000)
print(app.device.memory.view.token)
`).slice(-1);
  expect(answer).toBe('8');
});

test('uses no more heap after two weeks than after a day, with a clock beyond small integers', async () => {
  const bench = new BoardBench();
  const board = await bench.boot();
  bench.run(300);
  let token = 0;
  const workDay = (commands: number): void => {
    for (let command = 0; command < commands; command += 1) {
      token += 1;
      bench.show({ token, quantity: 2, sound: '15,c5,4', content: { lines: [`Order ${token % 10}`, 'Bolt M6'] } });
      bench.run(150);
      board.press('plus');
      board.press('front');
      bench.run(150);
    }
    // The rest of the day: the link is silent, and the session begins again.
    bench.skip(DAY_MS);
    bench.run(3_000);
  };
  // Enough work to fill every bounded list.
  workDay(100);
  const day = board.heap();
  for (let more = 0; more < 13; more += 1) workDay(20);
  expect(bench.clock.monotonic()).toBeGreaterThan(2 ** 30);
  const weeks = board.heap();
  process.stdout.write(`Heap of a board: ${day} bytes after a day, ${weeks} after two weeks\n`);
  // A time beyond the small integers is an object of 16 bytes in each field that holds a time.
  expect(weeks).toBeLessThanOrEqual(day + 512);
});
