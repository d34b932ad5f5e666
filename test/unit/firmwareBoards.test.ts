import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deviceIdOf } from '../helpers/microPythonBoard.ts';
import { startInterpreter } from '../helpers/interpreter.ts';

const BOARDS = join(import.meta.dirname, '..', '..', 'resources', 'firmware', 'boards');
const PROFILES = readdirSync(BOARDS).filter((name) => name.endsWith('.json'));

/** A chip with this configuration, which runs until its watchdog ends it. */
async function startChip(config: object, before = '', after = '') {
  const python = await startInterpreter({ wires: {} });
  python.run(`
from pretended import *
import os, json, sys
with open("/config.json", "w") as file:
    file.write(${JSON.stringify(JSON.stringify(config))})
sys.path.append("/")
os.chdir("/")
class Random:
    pass
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

test.each(PROFILES)('the profile %s starts over USB, with panel, light and buttons at its pins', async (file) => {
  const profile = JSON.parse(readFileSync(join(BOARDS, file), 'utf8')) as {
    panel: { pins: { busy: number; busy_level: number } };
    led: number[];
    pressed: number;
    buttons: { plus: number[] };
  };
  const { busy, busy_level } = profile.panel.pins;
  const say = await startChip({ profile: file.slice(0, -5), transport: 'usb' }, `PINS[${busy}] = ${1 - busy_level}`);
  expect(say('print(sorted(len(each) for each in SPI_SENT)[-1], FEEDS[0], sorted(DUTIES)[:3])')).toEqual([
    `4736 16 [${[...new Set(profile.led)].toSorted((a, b) => a - b).join(', ')}]`,
  ]);
  expect(say('print(FAILED)')).toEqual(['[]']);
  expect(say('print(os.listdir("/memory"))')).toEqual(['[]']);
  // A press on its pin.
  say(`
from boards.board import open_board
from core.app import App, name_of
config = json.load(open("config.json"))
board = open_board(config)
app = App(board, config)
app.step(0)
app.step(100)
for name, pins in board.profile["buttons"].items():
    for pin in pins:
        PINS[pin] = board.pressed
        app.step(1000)
        PINS[pin] = 1 - board.pressed
        app.step(1100)
        app.device.step(1200)
`);
  expect(say('print(name_of(board.device), len(app.device.memory.held))')).toEqual([
    expect.stringMatching(new RegExp(`^${deviceIdOf('chip')} [1-9]`)),
  ]);
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
    `ANSWERS.append(b"HTTP/1.1 429 Too Many Requests\\r\\nRetry-After: 7\\r\\n\\r\\n")`,
  );
  const [asked, address, request, closed, ...more] = say('print(WLAN.asked)\nfor each in SENT: print(each)');
  expect(asked).toBe("[('shop', 'pass')]");
  expect(address).toBe("('10.0.0.5', 4680)");
  expect(request).toContain('GET /turbo/?sign_in=challenge HTTP/1.1');
  expect(request).not.toContain('Authorization');
  expect(closed).toBe('closed');
  // It waits for the time given by the station.
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
  expect(say('print(RESETS, open("/error.txt").read().strip())')).toEqual(['[1] ValueError: broken']);
});

test('leaves MicroPython at its prompt if the front button is held', async () => {
  const say = await startChip({ profile: 'generic', transport: 'usb' }, 'PINS[2] = 0');
  expect(say('print(FEEDS[0], len(SPI_SENT))')).toEqual(['0 0']);
});

test('keeps files, and reads a missing one as None', async () => {
  const say = await startChip({ profile: 'generic', transport: 'usb' });
  expect(
    say(`
from boards.files import Files
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

test('starts a version on trial from its folder, restarts it if unanswered, and drops it after three starts', async () => {
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
main_parts.Versions(main_parts.Flash()).switch(1)
`;
  const python = await startInterpreter({ wires: {} });
  const main = readFileSync(join(BOARDS, '..', 'main.py'), 'utf8').replace(/\nmain\(\)\n$/, '');
  python.run(`
from pretended import *
import os, json, sys
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
versions = main_parts.Versions(main_parts.Flash())
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

test('writes, reads in parts, lists and removes the files of another version', async () => {
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
