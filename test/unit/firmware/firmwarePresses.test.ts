import { expect, test } from 'vitest';
import { openApp, startChipBoard, type ChipBoard } from '../../helpers/boards/chipBoard.ts';

/** Starts a board and waits until its first picture is drawn. Defines `show` and `plus` for the test. */
async function workingBoard(profile: string): Promise<ChipBoard> {
  const say = await startChipBoard(profile);
  say(`
${openApp({ profile, transport: 'usb' })}
from core import codec
from core.bits import RAW
board.link.write = len
board.link.poll.poll = lambda ms: []
def show(token, checksum, quantity=None):
    it = codec.Show()
    it.token, it.checksum, it.quantity, it.led, it.color, it.brightness = token, checksum, quantity, 1, 0xFFFFFF, 100
    it.form, it.packing, it.pixels = codec.BITMAP, RAW, bytes([checksum]) * 4736
    return app.device.take(it, now)
def plus(count, every, down):
    for each in range(count):
        chip.press(board.profile["buttons"]["plus"][0], chip.NOW[0] + 100 + each * every, down, board.profile["pressed"])
turns(6000)
`);
  return say;
}

test.each(['badger2040', 'esp32s3'])(
  'ten fast presses of plus count as ten on a %s, while flash and panel are busy',
  async (profile) => {
    const say = await workingBoard(profile);
    say(`
show(5, 1, 0)
plus(10, 130, 60)
turns(4000)
`);
    // Each press is written to flash while the panel draws the picture and the number.
    expect(say('print(app.device.memory.view.count, len(app.device.memory.held))')).toEqual(['10 10']);
    expect(say('print([each.quantity for each in app.device.memory.held])')).toEqual([
      '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]',
    ]);
  },
);

test('all edges of ten presses are kept while the bus of the panel is busy', async () => {
  const say = await workingBoard('badger2040');
  say(`
for each in range(10):
  chip.press(board.profile["buttons"]["plus"][0], chip.NOW[0] + 10 + each * 20, 10, 1)
chip.advance(300, "bus")
`);
  expect(say('print(len(board.edges(now)))')).toEqual(['20']);
});

test('a front press during a write to flash counts once, as a short press', async () => {
  const say = await workingBoard('badger2040');
  say(`
show(5, 1, 3)
turns(3000)
chip.press(board.profile["buttons"]["front"][0], chip.NOW[0] + 30, 60, 1)
began = now
board.flash.write("x", b"")
turns(200)
`);
  expect(say('print([(each.token, each.button, each.hold) for each in app.device.memory.held])')).toEqual([
    '[(5, 0, 0)]',
  ]);
});

test('bouncing contacts count once, and a pulse of one millisecond does not count', async () => {
  const say = await workingBoard('badger2040');
  say(`
show(5, 1, 0)
turns(3000)
pin = board.profile["buttons"]["plus"][0]
for at, ms in ((100, 2), (104, 1), (107, 80), (189, 1), (192, 2)):
    chip.press(pin, chip.NOW[0] + at, ms, 1)
turns(500)
chip.press(pin, chip.NOW[0] + 7, 1, 1)
turns(500)
`);
  expect(say('print(app.device.memory.view.count)')).toEqual(['1']);
});

test('a press before the light belongs to the previous content, even if it is read after the light', async () => {
  const say = await workingBoard('badger2040');
  say(`
front = board.profile["buttons"]["front"][0]
chip.press(front, chip.NOW[0] + 10, 50, 1)
time.sleep_ms(70)
board.ticks, now = time.ticks_ms(), now + 70
show(5, 1, 3)
turns(500)
`);
  expect(
    say('print([(each.token, each.button) for each in app.device.memory.held], app.device.memory.view.token)'),
  ).toEqual(['[(0, 0)] 5']);
});

test('counts presses of all three front buttons, and a long hold as a long press', async () => {
  const say = await workingBoard('badger2040w');
  say(`
turns(3000)
for each, pin in enumerate(board.profile["buttons"]["front"]):
    chip.press(pin, chip.NOW[0] + 100 + 200 * each, 100, 1)
chip.press(board.profile["buttons"]["front"][0], chip.NOW[0] + 1000, 1500, 1)
turns(3000)
`);
  expect(say('print([(each.button, each.hold) for each in app.device.memory.held])')).toEqual([
    '[(0, 0), (0, 0), (0, 0), (0, 1)]',
  ]);
});
