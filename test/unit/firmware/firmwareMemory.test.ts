import { expect, test } from 'vitest';
import { startInterpreter } from '../../helpers/boards/interpreter.ts';

const PROGRAM = `
from core.memory import FILES, Memory, View
EPOCHS = [0]

class Flash:
    def __init__(self, files=None):
        self.files, self.fails = dict(files or {}), False
    def read(self, name):
        return self.files.get(name)
    def write(self, name, data):
        self.files[name] = b""
        self.append(name, data)
    def append(self, name, data):
        if self.fails:
            self.files[name] = self.files.get(name, b"") + bytes(data[:7])
            raise OSError(28)
        self.files[name] = self.files.get(name, b"") + bytes(data)

def epoch():
    EPOCHS[0] += 1
    return EPOCHS[0] * 1000

def opened(flash):
    return Memory(flash, epoch)

def counters(memory):
    return [report.counter for report in memory.held]

def view(token, count=None):
    made = View()
    made.token, made.checksum, made.slot, made.count, made.quantity = token, 0xfedcba98, 3, count, 2
    made.color, made.led, made.brightness, made.fixed, made.seconds, made.most = 0xff8000, 2, 80, True, 90, 999
    return made
`;

async function python() {
  const interpreter = await startInterpreter({ wires: {} });
  interpreter.run(PROGRAM);
  return (code: string): string[] => {
    const before = interpreter.printed().length;
    interpreter.run(code);
    return interpreter.printed().slice(before);
  };
}

test('restores the shown work, counts, the background, held presses and ended tokens', async () => {
  const run = await python();
  expect(
    run(`
flash = Flash()
memory = opened(flash)
memory.keep(0xffffffff, 1)
memory.show(view(7, 2))
memory.report(7, 1, 0, 3, 100)
memory.report(7, 0, 1, 3, 200)
memory.show(view(8, 2))
memory.report(8, 2, 0, 1, 300)
memory.acknowledge(1)
memory.report(0, 0, 0, None, 400)
again = opened(flash)
print(again.epoch == memory.epoch, again.counter, counters(again), again.over, again.back)
seen = again.view
print(seen.token, seen.checksum, seen.slot, seen.count, seen.quantity, seen.color, seen.led, seen.brightness, seen.fixed, seen.seconds, seen.most)
print([(each.token, each.button, each.hold, each.quantity) for each in again.held])
`),
  ).toEqual([
    'True 4 [2, 3, 4] [7] (4294967295, 1)',
    '8 4275878552 3 1 2 16744448 2 80 True 90 999',
    '[(7, 0, 1, 3), (8, 2, 0, 1), (0, 0, 0, None)]',
  ]);
});

test('after a long history, restores its state from two files of at most 4 KB each', async () => {
  const run = await python();
  expect(
    run(`
flash = Flash()
memory = opened(flash)
largest = 0
for token in range(1, 1001):
    memory.show(view(token, 2))
    memory.report(token, 0, 0, 2, 0)
    if token % 50 != 49:
        for report in list(memory.held):
            memory.acknowledge(report.counter)
    largest = max(largest, max(len(data) for data in flash.files.values()))
again = opened(flash)
print(again.counter, again.epoch == memory.epoch, counters(again), largest <= 4096, sorted(flash.files))
print(again.over[-1], again.view.token)
`),
    // The acknowledgement of the last two reports is written with the next change, so they are sent again.
  ).toEqual(["1000 True [999, 1000] True ['log0', 'log1']", '1000 0']);
});

test('never reuses a counter, even if a byte of the flash is corrupted', async () => {
  const run = await python();
  expect(
    run(`
flash = Flash()
memory = opened(flash)
for token in range(1, 90):
    memory.show(view(token, 2))
    memory.report(token, 0, 0, 2, 0)
    memory.acknowledge(memory.counter)
worst = 10000
for name in FILES:
    for at in range(0, len(flash.files[name]), 7):
        bad = Flash(flash.files)
        data = bytearray(bad.files[name])
        data[at] ^= 0x10
        bad.files[name] = data
        again = opened(bad)
        if again.epoch == memory.epoch:
            worst = min(worst, again.counter - memory.counter)
        else:
            worst = min(worst, 5000)
print(worst >= 0)
lost = Flash()
print(opened(lost).epoch != memory.epoch)
`),
  ).toEqual(['True', 'True']);
});

test('continues in the other file after an incomplete write', async () => {
  const run = await python();
  expect(
    run(`
flash = Flash()
memory = opened(flash)
memory.report(0, 0, 0, None, 0)
file = memory.file
flash.fails = True
for _ in range(3):
    try:
        memory.report(5, 0, 0, None, 0)
        print("taken")
    except OSError:
        pass
print(counters(memory), memory.counter)
flash.fails = False
memory.report(6, 0, 0, None, 0)
again = opened(flash)
print(counters(again), again.held[-1].token, again.file != file)
`),
  ).toEqual(['[1] 1', '[1, 2] 6 True']);
});

test('after a power cut during the switch to the other file, uses the older file until the newer one is complete', async () => {
  const run = await python();
  expect(
    run(`
flash = Flash()
memory = opened(flash)
for token in range(1, 4):
    memory.show(view(token, 2))
    memory.report(token, 0, 0, 2, 0)
memory.acknowledge(1)
before = dict(flash.files)
memory.size = 4096
memory.report(0, 0, 0, None, 0)
name = FILES[memory.file]
whole, found = flash.files[name], set()
for size in range(len(whole) + 1):
    torn = Flash(before)
    torn.files[name] = whole[:size]
    again = opened(torn)
    held = counters(again)
    found.add((again.epoch == memory.epoch, str(held)))
    # One that a station could have seen is never given to another press.
    assert again.counter >= held[-1], size
print(len(before) , sorted(found))
`),
  ).toEqual([expect.stringContaining("(True, '[1, 2, 3]'), (True, '[2, 3, 4]')")]);
});

test('a WebSocket reads long and short frames in pieces, answers pings, and reports that the station closed it', async () => {
  const run = await python();
  expect(
    run(`
from core.websocket import WebSocket

class Link:
    def __init__(self):
        self.come, self.gone = b"", b""
    def start(self):
        pass
    def ready(self):
        return True
    def read(self, view):
        size = min(len(view), len(self.come), 3)
        view[:size] = self.come[:size]
        self.come = self.come[size:]
        return size
    def write(self, view):
        part = bytes(view[:5])
        self.gone += part
        return len(part)
    def stop(self):
        pass

def frame(kind, data):
    size = len(data)
    head = bytes((128 | kind, size)) if size < 126 else bytes((128 | kind, 126, size >> 8, size & 255))
    return head + data

def take(socket):
    out, view = b"", bytearray(64)
    for _ in range(400):
        size = socket.read(memoryview(view))
        out += bytes(view[:size])
    return out

link = Link()
socket = WebSocket(link, lambda: 0x01020304, "station:80", "/turbo/", {"user": "u", "key": "k", "ca": "station.der"})
socket.start()
for _ in range(100):
    socket.ready()
link.come = b"HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\n\\r\\n" + frame(2, b"first")
for _ in range(40):
    socket.ready()
print(socket.ready(), b"GET /turbo/ HTTP/1.1" in link.gone, b"Authorization: Basic dTpr\\r\\n" in link.gone)
print(take(socket))
link.come = frame(2, b"x" * 300) + frame(9, b"beat") + frame(2, b"") + frame(0, b"y" * 125) + frame(2, b"z")
got = take(socket)
print(len(got), got[:1], got[300:301], got[-1:])
for _ in range(20):
    socket.flush()
pong = link.gone[-10:]
print(pong[0] & 15, bytes(a ^ b for a, b in zip(pong[6:], pong[2:6])))
link.gone = b""
sent = 0
while not sent:
    sent = socket.write(memoryview(b"hello"))
for _ in range(20):
    socket.flush()
mask, body = link.gone[-9:-5], link.gone[-5:]
print(sent, bytes(a ^ b for a, b in zip(body, mask + mask)))
for come in (frame(9, b"x" * 126), bytes((137, 127)) + b"\\x7f" * 8, frame(8, b"")):
    link.come = come
    try:
        take(socket)
    except OSError as error:
        print(error)
    link.come, socket.left, socket.used = b"", 0, 0
`),
  ).toEqual([
    'True True True',
    "b'first'",
    "426 b'x' b'y' b'z'",
    "10 b'beat'",
    "5 b'hello'",
    'not a WebSocket',
    'not a WebSocket',
    'closed by the station',
  ]);
});
