import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startInterpreter } from '../../helpers/boards/interpreter.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'turbo-protocol.md'), 'utf8');
const VECTORS = new Map(
  [...PAGE.matchAll(/### Example of (\w+)\n+```\n(.*?)```/gs)].map(([, name = '', octets = '']) => [
    name,
    octets.replaceAll(/\s/g, ''),
  ]),
);

const PROGRAM = `
from binascii import hexlify, unhexlify
from core import codec
from core.frames import Reader, Writer
from core.memory import Report

DEVICE = unhexlify("51d000000001")
OUT = Writer()
CURSOR = codec.Cursor()

def made(number, flags, put):
    OUT.clear()
    OUT.begin()
    answer = put()
    OUT.end(number or answer, flags, 0x102)
    return hexlify(OUT.data[:OUT.used]).decode()

def payload(octets):
    reader = Reader()
    data = unhexlify(octets)
    reader.space()[:len(data)] = data
    reader.feed(len(data), 0)
    return CURSOR.over(bytes(reader.next(0)))
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

const SAYS: Record<string, string> = {
  hello: `codec.HELLO, 0, lambda: codec.put_hello(OUT, ("T-0042", "Hall 2", "turbo-aisle-1", "pk_4f2a"), 439041101, 3, 32)`,
  heartbeat: `codec.HEARTBEAT, 0, lambda: OUT.put("<I", 86400)`,
  ack: `codec.ACK, 1, lambda: OUT.put("<B", codec.OK)`,
  shown: `codec.SHOWN, 0, lambda: codec.put_shown(OUT, DEVICE, 7, 0xdeadbeef, 12)`,
  button: `None, 0, lambda: codec.put_report(OUT, DEVICE, 0x00c0ffee, Report(41, 7, 0, 0, 2, 0, 1430), 850)`,
  synced: `codec.SYNCED, 1, lambda: OUT.put("<H", COUNT)`,
};

test('a board sends exactly the bytes of the examples in the protocol page', async () => {
  const run = await python();
  // The board's constants differ from those in the examples.
  run(`codec.FIRMWARE = 12\nCOUNT = ${countOf('synced')}`);
  for (const [name, put] of Object.entries(SAYS)) {
    expect(run(`print(made(${put}))`), name).toEqual([VECTORS.get(name)]);
  }
  const ended = jsonOf('ended');
  const report = `Report(${ended['counter']}, ${ended['token']}, None, 0, ${ended['quantity'] ?? 'None'}, 0)`;
  expect(
    run(
      `print(made(codec.ENDED, 0, lambda: codec.put_report(OUT, unhexlify("${String(ended['device']).replace(':', '')}"), ${ended['epoch']}, ${report}, ${ended['ageMs']})))`,
    ),
  ).toEqual([VECTORS.get('ended')]);
  const status = jsonOf('deviceStatus');
  const optional = (name: string): string => String(status[name] ?? 'None');
  run(`codec.CAN_DRAW_BITMAPS = ${status['capabilities']}`);
  const pending =
    status['pendingToken'] === undefined ? 'None' : `(${optional('pendingToken')}, ${optional('pendingChecksum')})`;
  expect(
    run(`print(made(codec.STATUS, 0, lambda: codec.put_status(OUT, unhexlify("${String(status['device']).replace(':', '')}"), ${status['epoch']}, ${status['firmware']},
      ${status['buttons']}, ${status['batteryMv']}, ${status['rssiDbm']}, ${status['uptimeS']},
      (${optional('shownToken')}, ${optional('shownChecksum')}), ${optional('remainingMs')}, ${pending},
      ${optional('backgroundChecksum')})))`),
  ).toEqual([VECTORS.get('deviceStatus')]);
});

test('a board reads the station messages of the examples in the protocol page', async () => {
  const run = await python();
  expect(
    run(`
c = payload("${VECTORS.get('welcome')}"); print(c.u8(), c.word(6), c.u32(), c.u16(), c.u8())
s = codec.Show(); s.read(payload("${VECTORS.get('show')}"), False)
print(hexlify(s.device).decode(), s.token, s.checksum, s.seconds, s.quantity, s.led, s.color, s.brightness, s.fixed, s.sound, s.form)
s.read(payload("${VECTORS.get('keep')}"), True)
print(s.token, s.checksum, s.form)
print(payload("${VECTORS.get('sync')}").end)
`),
  ).toEqual([
    '1 0 195939070 5000 64',
    '51d000000001 7 3735928559 60 3 2 16744448 80 False 15,c5,4 1',
    `0 ${jsonOf('keep')['checksum']} ${formOf('keep')}`,
    '0',
  ]);
});

test('a truncated show or keep is malformed', async () => {
  const run = await python();
  for (const name of ['show', 'keep']) {
    expect(
      run(`
whole = payload("${VECTORS.get(name)}").data
for size in range(len(whole)):
    try:
        codec.Show().read(CURSOR.over(whole[:size]), ${name === 'keep' ? 'True' : 'False'})
        print("read", size)
    except codec.Malformed:
        pass
`),
    ).toEqual([]);
  }
});

test('finds frames after noise, byte by byte, and after half a frame that timed out', async () => {
  const run = await python();
  for (const [name, octets] of VECTORS) {
    expect(
      run(`
good = unhexlify("${octets}")
bad = bytes(good[:-1]) + bytes((good[-1] ^ 1,))
reader, found = Reader(), []
for byte in b"\\xa5\\x00\\xa5\\xa5\\x5a" + bad + good:
    reader.space()[0] = byte
    reader.feed(1, 0)
    body = reader.next(0)
    if body is not None:
        found.append((bytes(body) == good[10:-4], reader.number == good[2], reader.seq))
half = good[:-1]
reader.space()[:len(half)] = half
reader.feed(len(half), 0)
found.append(reader.next(900))
found.append(reader.next(1100))
reader.space()[:len(good)] = good
reader.feed(len(good), 2000)
found.append(reader.next(2000) is not None)
print(found)
`),
      name,
    ).toEqual(['[(True, True, 258), None, None, True]']);
  }
});

test('the head of a long frame whose rest was lost delays short frames by a second at most', async () => {
  const run = await python();
  expect(
    run(`
head, good = unhexlify("${VECTORS.get('show')}")[:20], unhexlify("${VECTORS.get('heartbeat')}")
reader = Reader()
for at, data in ((0, head), (500, good)):
    reader.space()[:len(data)] = data
    reader.feed(len(data), at)
    print(reader.next(at), reader.is_half())
print(reader.next(999), reader.next(1000) is not None, reader.number, reader.is_half())
`),
  ).toEqual(['None True', 'None True', 'None True 3 False']);
});

test('reads many frames in one piece, across the end of the buffer', async () => {
  const run = await python();
  expect(
    run(`
good = unhexlify("${VECTORS.get('show')}")
reader, count, rest = Reader(), 0, good * 300
while rest:
    room = reader.space()
    size = min(len(room), len(rest), 777)
    room[:size] = rest[:size]
    rest = rest[size:]
    reader.feed(size, 0)
    while reader.next(0) is not None:
        count += 1
print(count, reader.skipped)
`),
  ).toEqual(['300 0']);
});

function jsonOf(name: string): Record<string, string | number | undefined> {
  const text = new RegExp(String.raw`### Example of ${name}\n+.*?` + '```json\n(.*?)```', 's').exec(PAGE)?.[1];
  return JSON.parse(text ?? '{}') as Record<string, string | number>;
}

function countOf(name: string): number {
  return Number(jsonOf(name)['devices']);
}

function formOf(name: string): number {
  const { form } = (jsonOf(name) as { screen?: { form: string } }).screen ?? { form: '' };
  return ['same', 'fields', 'bitmap'].indexOf(form);
}
