import { expect, test } from 'vitest';
import { openApp, startChipBoard, type ChipBoard } from '../../helpers/boards/chipBoard.ts';

const USB = { profile: 'badger2040', transport: 'usb', watchdog: false };

/**
 * Runs `boards/run.py` with the front button held for `heldMs` milliseconds. Returns whether it went to the prompt, and the effect of a
 * byte 3 (Ctrl-C) at that time.
 */
async function started(cause: string, heldMs: number, config: object = USB): Promise<string[]> {
  const say = await startChipBoard('badger2040');
  return say(`
import machine, micropython
INTERRUPTS = []
class Interrupts:
    kbd_intr = staticmethod(INTERRUPTS.append)
sys.modules["micropython"] = Interrupts
CAUSE[0] = machine.${cause}
with open("/config.json", "w") as file:
    file.write(${JSON.stringify(JSON.stringify(config))})
from core.app import App
class Running(Exception):
    pass
def step(self, now):
    raise KeyboardInterrupt
App.step = step
PINS[13] = 1
chip.EDGES.append([${heldMs}, 13, 0])
from boards.run import run
try:
    run(None)
    print("prompt", INTERRUPTS[-1])
except KeyboardInterrupt:
    print("runs", INTERRUPTS[-1])
`);
}

test('goes to the prompt only if the front button is held for two seconds while the board is plugged in', async () => {
  expect(await started('PWRON_RESET', 5_000)).toEqual(['prompt 3']);
  expect(await started('PWRON_RESET', 1_500)).toEqual(['runs -1']);
  // A press during a restart by an update or by the watchdog does not lead to the prompt.
  expect(await started('WDT_RESET', 60_000)).toEqual(['runs -1']);
});

test('a byte 3 in a frame cannot end the program, not even on its first line; over Wi-Fi, Ctrl-C can', async () => {
  const say = await startChipBoard('badger2040');
  const [first] = say(`
class Interrupts:
    @staticmethod
    def kbd_intr(byte):
        print(byte, "versions" in sys.modules)
        raise KeyboardInterrupt
sys.modules["micropython"] = Interrupts
sys.path.append("/")
try:
    import main
except KeyboardInterrupt:
    pass
`);
  expect(first).toBe('-1 False');
  const wifi = { ...USB, transport: 'wifi', station: '10.0.0.5:4680', ssid: 'shop', password: 'pass' };
  expect(await started('WDT_RESET', 0, wifi)).toEqual(['runs 3']);
});

async function wifiBoard(more: object = {}): Promise<ChipBoard> {
  const say = await startChipBoard('badger2040w');
  say(
    openApp({
      profile: 'badger2040w',
      transport: 'wifi',
      station: '10.0.0.5:4680',
      user: 'board-1',
      key: 'secret',
      ssid: 'shop',
      password: 'pass',
      ...more,
    }),
  );
  return say;
}

test('after two failures, disconnects from a Wi-Fi network that only seems to be connected', async () => {
  const say = await wifiBoard();
  say('WLAN.is_dead = True\nturns(20000)');
  expect(say('print(len(WLAN.asked), len(WLAN.parted))')).toEqual(['1 0']);
  say('turns(25000)');
  expect(say('print(len(WLAN.asked), len(WLAN.parted))')).toEqual(['2 1']);
});

test('waits 20 s for a Wi-Fi network, and sets the Wi-Fi country', async () => {
  const say = await wifiBoard({ country: 'DE' });
  expect(say('print(COUNTRIES)')).toEqual(["['DE']"]);
  say('WLAN.state = 1\nturns(6000)\nbegan = len(WLAN.asked)\nturns(60000)');
  // The second attempt comes after twenty seconds and a pause of one or two.
  expect(say('print(began, len(WLAN.asked) - began)')).toEqual([expect.stringMatching(/^1 [23]$/)]);
});

test('restarts five minutes after losing the station, but not if no station has answered yet', async () => {
  const never = await wifiBoard();
  never('WLAN.is_dead = True\nturns(400000)');
  expect(never('print(RESETS)')).toEqual(['[]']);
  const say = await wifiBoard();
  say(`
WLAN.is_dead = True
app.session.link.works()
app.session.link.stop()
ended = []
try:
    turns(400000)
except SystemExit:
    ended.append((chip.NOW[0]) // 60000)
`);
  expect(say('print(ended)')).toEqual(['[5]']);
});

test('restarts after an hour, and not a minute earlier, if no station ever answered', async () => {
  const say = await wifiBoard();
  say(`
WLAN.is_dead = True
wifi = app.session.link.link
wifi.good_at = time.ticks_add(time.ticks_ms(), -3500000)
turns(60000)
`);
  expect(say('print(RESETS)')).toEqual(['[]']);
  say(`
try:
    turns(90000)
except SystemExit:
    pass
`);
  expect(say('print(len(RESETS))')).toEqual(['1']);
});

test('the five minutes until a restart begin when a good connection ends, even a long one', async () => {
  const say = await wifiBoard();
  say(`
WLAN.is_dead = True
app.session.link.works()
advance(1200000)
app.session.link.stop()
turns(240000)
`);
  expect(say('print(RESETS)')).toEqual(['[]']);
  say(`
try:
    turns(120000)
except SystemExit:
    pass
`);
  expect(say('print(len(RESETS))')).toEqual(['1']);
});

test('switches off the power saving of the Wi-Fi radio', async () => {
  const say = await wifiBoard();
  say('turns(8000)');
  expect(say('print(WLAN.power)')).toEqual(['0']);
});

test('waits ten minutes at most, even if Retry-After is longer', async () => {
  const say = await wifiBoard();
  say('ANSWERS.append(b"HTTP/1.1 401 Unauthorized\\r\\nRetry-After: 99999999999\\r\\n\\r\\n")\nturns(5000)');
  const minutes = say('print(app.session.not_before // 60000)');
  expect(minutes).toEqual(['10']);
});

test.each([
  ['a missing Wi-Fi network', 'WLAN.state = 201', 2],
  ['a wrong Wi-Fi password on a CYW43', 'WLAN.state = -3', 3],
  ['a wrong Wi-Fi password on an ESP32', 'WLAN.state = 202', 3],
  ['a Wi-Fi handshake that times out on an ESP32', 'WLAN.state = 15', 3],
  ['a missing station', 'WLAN.is_dead = True', 4],
  ['a refused key', 'ANSWERS.extend([b"HTTP/1.1 401 Unauthorized\\r\\n\\r\\n"] * 20)', 5],
])('half a minute after the last contact with a station, flashes the code for %s', async (_what, state, flashes) => {
  const say = await wifiBoard();
  say(`${state}\nturns(25000)\nwired.LIGHTS[:] = []\nturns(3000)`);
  expect(say('print(len(wired.LIGHTS))')).toEqual(['0']);
  say('turns(30000)');
  // Flashes of one group are 300 ms apart, groups several seconds.
  expect(
    say(`
lit = [at for at, pin, duty in wired.LIGHTS if duty]
groups, last = [], -10000
for at in lit:
    if at - last > 1000:
        groups.append(0)
    groups[-1] += 1
    last = at
print(groups[1:4])
`),
  ).toEqual([`[${flashes}, ${flashes}, ${flashes}]`]);
});
