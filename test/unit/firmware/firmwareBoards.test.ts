import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startInterpreter } from '../../helpers/boards/interpreter.ts';

const BOARDS = join(import.meta.dirname, '..', '..', '..', 'resources', 'firmware', 'boards');
const PROFILES = readdirSync(BOARDS).filter((name) => name.endsWith('.json'));

/** Starts a chip with this configuration and runs it until its watchdog ends it. `board` names the parts wired to the chip. */
async function startChip(
  config: { profile: string; [name: string]: unknown },
  before = '',
  after = '',
  board = config.profile,
) {
  const python = await startInterpreter({ wires: {} });
  python.run(`
from chip import *
import chip, wired, os, json, sys
use("${board}")
import time
with open("/config.json", "w") as file:
    file.write(${JSON.stringify(JSON.stringify(config))})
sys.path.append("/")
os.chdir("/")
if not hasattr(os, "urandom"):
    os.urandom = lambda size: bytes(range(size))
${before}
from core.app import App
STEP, FAILED = App.step, []
def step(self, now):
    try:
        return STEP(self, now)
    except Exception as error:
        FAILED.append(repr(error))
        raise
App.step = step
${after}
try:
    import main
except (KeyboardInterrupt, SystemExit):
    pass
`);
  return (code: string): string[] => {
    const from = python.printed().length;
    python.run(code);
    return python.printed().slice(from);
  };
}

/** Each profile with the board that it is made for. `generic` also fits a bare chip. */
const WIRINGS: readonly (readonly [profile: string, board: string])[] = [
  ...PROFILES.map((file) => [file.slice(0, -5), file.slice(0, -5)] as const),
  ['generic', 'generic on esp32s3'],
];

test.each(WIRINGS)(
  'the profile %s starts on the model of %s: the picture is upright, light and buttons use their pins',
  async (profile, board) => {
    const say = await startChip({ profile, transport: 'usb' }, '', '', board);
    expect(say('print(FEEDS[0], FAILED, len(wired.PANELS[0].refreshes))')).toEqual(['16 [] 1']);
    expect(
      say(`
from boards.board import open_board
from core.app import App
config = json.load(open("config.json"))
board = open_board(config)
picture = bytearray(4736)
for x, y in ((0, 0), (1, 0), (0, 1), (295, 0), (3, 127), (295, 127), (9, 8), (200, 77)):
    picture[y * 37 + (x >> 3)] |= 128 >> (x & 7)
for is_full in (True, False):
    picture[2000] ^= 255
    board.panel.start(picture, is_full)
    rounds = 0
    while board.panel.busy():
        time.sleep_ms(10)
        rounds += 1
    print(bytes(wired.seen()) == bytes(picture), rounds > 10)
board.led(0, 255, 0)
print(sorted(DUTIES) == sorted(wired.BOARDS["${board}"].get("led", board.profile["led"] + [board.profile.get("buzzer")])))
`),
    ).toEqual(['True True', 'True True', 'True']);
    // Press each button pin once.
    say(`
app = App(board, config)
now = 0
def turn(ms):
    global now
    for _ in range(ms // 10):
        time.sleep_ms(10)
        now += 10
        board.ticks = time.ticks_ms()
        app.step(now)
app.step(0)
turn(6000)
for name in ("front", "plus", "minus"):
    for pin in board.profile["buttons"][name]:
        chip.press(pin, chip.NOW[0] + 50, 80, board.profile["pressed"])
        turn(300)
`);
    expect(say('print()\nprint([each.button for each in app.device.memory.held])').slice(-1)).toEqual([
      profile === 'generic' ? '[0, 1, 2]' : '[0, 0, 0, 1, 2]',
    ]);
  },
);

test('a board behind a UART sleeps for 5 ms at most, so that its buffer of 260 bytes never overflows', async () => {
  const say = await startChip(
    { profile: 'esp32s3', transport: 'usb' },
    `
SLEPT, SLEEP = [], time.sleep_ms
def sleep_ms(ms):
    SLEPT.append(ms)
    SLEEP(ms)
time.sleep_ms = sleep_ms
WDT.rounds = 300
`,
  );
  expect(say('print()\nprint(max(SLEPT[-250:]))').slice(-1)).toEqual(['5']);
});

test('over Wi-Fi, joins, connects and asks for a WebSocket, and waits after a refusal', async () => {
  const say = await startChip(
    {
      profile: 'generic',
      transport: 'wifi',
      station: '10.0.0.5:4680',
      user: 'board-1',
      key: 'secret',
      ssid: 'shop',
      password: 'pass',
    },
    `WDT.rounds = 300
ANSWERS.append(b"HTTP/1.1 429 Too Many Requests\\r\\nRetry-After: 7\\r\\n\\r\\n")`,
  );
  const [asked, address, request, closed, ...more] = say('print(WLAN.asked)\nfor each in SENT: print(each)');
  expect(asked).toBe("[('shop', 'pass')]");
  expect(address).toBe("('10.0.0.5', 4680)");
  expect(request).toContain('GET /turbo/?sign_in=challenge HTTP/1.1');
  expect(request).not.toContain('Authorization');
  expect(closed).toBe('closed');
  // The board waits for the time that the station asked for.
  expect(more).toEqual([]);
  expect(say('print(FAILED)')).toEqual(['[]']);
});

test('a program that keeps failing writes the reason to a file and restarts the chip', async () => {
  const say = await startChip(
    { profile: 'generic', transport: 'usb', watchdog: false },
    '',
    `
def step(self, now):
    raise ValueError("broken")
App.step = step
`,
  );
  expect(say('print(len(RESETS), open("/error.txt").read().strip())')).toEqual(['1 ValueError: broken']);
});

test('stays at the MicroPython prompt if the front button is held', async () => {
  const say = await startChip({ profile: 'generic', transport: 'usb' }, 'PINS[2] = 0');
  expect(say('print(FEEDS[0], len(wired.PANELS[0].said))')).toEqual(['0 0']);
});

test('stores files, and reads a missing file as None', async () => {
  const say = await startChip({ profile: 'generic', transport: 'usb' });
  expect(
    say(`
from flash import Files
files = Files("/kept")
files.write("a", b"one")
files.append("a", b"two")
files.append("b", b"new")
again = Files("/kept")
print(bytes(again.read("a")), bytes(again.read("b")), again.read("c"))
again.write("a", b"")
print(bytes(files.read("a")))
`),
  ).toEqual(["b'onetwo' b'new' None", "b''"]);
});

test('after a power cut during a write, a file has its old content', async () => {
  const say = await startChip({ profile: 'generic', transport: 'usb' });
  expect(
    say(`
import flash
files = flash.Files("/kept")
files.write("a", b"old")
put = flash.put
def cut(path, data, mode):
    put(path, data[:1], mode)
    raise OSError(5)
flash.put = cut
try:
    files.write("a", b"new")
except OSError:
    print(bytes(files.read("a")))
flash.put = put
files.write("a", b"new")
print(bytes(files.read("a")), "new.part" in os.listdir())
`),
  ).toEqual(["b'old'", "b'new' False"]);
});

test('only one file of the firmware writes to flash', () => {
  const root = join(BOARDS, '..');
  const writers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.py'))
    .filter((name) => /open\([^)]*, *(?:mode|["'][^"']*[wa+])/.test(readFileSync(join(root, name), 'utf8')));
  expect(writers).toEqual(['flash.py']);
});

test('starts a trial version from its folder, restarts it if the station does not answer, and drops it after three starts', async () => {
  const config = { profile: 'generic', transport: 'usb', watchdog: false };
  const before = `
def copied(folder, to):
    os.mkdir(to)
    for name, kind, *_ in os.ilistdir(folder):
        if kind == 0x4000:
            copied(folder + "/" + name, to + "/" + name)
        else:
            with open(folder + "/" + name) as one, open(to + "/" + name, "w") as other:
                other.write(one.read())
os.mkdir("/a")
copied("/core", "/a/core")
copied("/boards", "/a/boards")
with open("/a/core/update.py", "w") as file:
    file.write("raise ValueError('new')")
import main_parts
main_parts.REST_MS = 0
main_parts.Versions(main_parts.Files("memory")).switch(1)
`;
  const python = await startInterpreter({ wires: {} });
  const main = readFileSync(join(BOARDS, '..', 'main.py'), 'utf8').replace(/\nmain\(\)\n$/, '');
  python.run(`
from chip import *
import os, json, sys
use("generic")
sys.path.append("/")
os.chdir("/")
if not hasattr(os, "urandom"):
    os.urandom = lambda size: bytes(range(size))
with open("/config.json", "w") as file:
    file.write(${JSON.stringify(JSON.stringify(config))})
with open("/main_parts.py", "w") as file:
    file.write(${JSON.stringify(main)})
${before}
def start():
    for name in list(sys.modules):
        if name.startswith("core") or name.startswith("boards"):
            del sys.modules[name]
    if "/a" in sys.path:
        sys.path.remove("/a")
    try:
        main_parts.main()
    except SystemExit:
        pass
for _ in range(3):
    start()
print(len(RESETS), open("/error.txt").read().strip(), [each.period for each in Timer.made])
# It is on trial, and nobody answered it.
try:
    Timer.made[-1].callback(None)
except SystemExit:
    pass
print(len(RESETS))
`);
  expect(python.printed()).toEqual(['3 ValueError: new [60000, 60000, 60000]', '4']);
  python.run(`
versions = main_parts.Versions(main_parts.Files("memory"))
print(repr(versions.choose(main_parts.has)), versions.is_on_trial())
`);
  expect(python.printed().at(-1)).toBe("'' False");
  // Each version has its own profiles.
  python.run(`
for name in list(sys.modules):
    if name.startswith("boards"):
        del sys.modules[name]
sys.path.insert(0, "/a")
os.rename("/a/boards/generic.json", "/a/boards/new.json")
from boards.board import open_board
print(open_board({"profile": "new", "transport": "usb"}).buttons)
`);
  expect(python.printed().at(-1)).toBe('3');
});

test('writes, reads in parts, lists and removes the files of a different version', async () => {
  const say = await startChip({ profile: 'generic', transport: 'usb' });
  expect(
    say(`
from boards.files import Store
store = Store()
print(store.files("b"))
store.write("b/core/one.py", b"0123456789")
store.append("b/core/one.py", b"abc")
store.write("b/boards/two.json", b"")
view = memoryview(bytearray(8))
print([bytes(view[:store.read_at("b/core/one.py", at, view)]) for at in (0, 8, 13)])
print(sorted(store.files("b")))
for path in store.files("b"):
    store.remove(path)
print(store.files("b"))
`),
  ).toEqual(['[]', "[b'01234567', b'89abc', b'']", "['b/boards/two.json', 'b/core/one.py']", '[]']);
});
