import { expect, test } from 'vitest';
import { startInterpreter } from '../helpers/interpreter.ts';

const PROGRAM = `
from boards.ssd1680 import SSD1680
from boards.uc8151 import UC8151

class Bus:
    def __init__(self):
        self.said, self.blocks = [], []
    def command(self, number, *data):
        self.said.append("%02x" % number + "".join(" %02x" % byte for byte in data))
    def block(self, number, data):
        self.said.append("%02x [%d]" % (number, len(data)))
        self.blocks.append(bytes(data))
    def reset(self):
        self.said.append("reset")
    def busy(self):
        return False
    def sleep_ms(self, ms):
        pass

def told(panel, *refreshes):
    for picture, is_full in refreshes:
        panel.start(picture, is_full)
        panel.busy()
    print("; ".join(panel.bus.said))

WHITE = bytearray(4736)
`;

async function told(code: string): Promise<string[]> {
  const python = await startInterpreter({ wires: {} });
  python.run(PROGRAM);
  python.run(code);
  return [...python.printed()];
}

const OPENING = ['reset', '12', '01 27 01 00', '11 06'];
const PLACE = ['21 00 80', '18 80', '44 0f 00', '45 00 00 27 01'];
const PIXELS = (number: string) => ['4e 0f', '4f 00 00', `${number} [4736]`];

test('an SSD1680 gets the commands of its data sheet', async () => {
  const [all] = await told('told(SSD1680(Bus()), (WHITE, True), (WHITE, False))');
  const full = [...OPENING, '3c 05', ...PLACE, ...PIXELS('24'), ...PIXELS('26'), '22 f7', '20', ...PIXELS('26')];
  const partial = [...OPENING, '3c 80', ...PLACE, ...PIXELS('24'), '22 ff', '20', ...PIXELS('26')];
  expect(all?.split('; ')).toEqual([...full, ...partial]);
});

test('a UC8151 gets the commands of its data sheet', async () => {
  const opening = ['01 03 00 2b 2b 2b', '06 17 17 17', '30 3c', '61 80 01 28', '60 22', '50 97'];
  const drawing = ['04', '10 [4736]', '13 [4736]', '12', '02'];
  const [safe, fast] = await told(`told(UC8151(Bus()), (WHITE, True), (WHITE, False))
told(UC8151(Bus(), fast=True), (WHITE, True), (WHITE, False))`);
  const once = ['reset', '00 9f', ...opening, ...drawing];
  expect(safe?.split('; ')).toEqual([...once, ...once]);
  const tables = ['20 [44]', '21 [42]', '22 [42]', '23 [42]', '24 [42]'];
  expect(fast?.split('; ')).toEqual([...once, 'reset', '00 bf', ...opening, ...tables, ...drawing]);
});

test('puts each pixel in its place on panels that are built upright', async () => {
  // Top left, top right, and the ninth row. On the panel, the long side is vertical and the top of the picture is on
  // the right.
  expect(
    await told(`
from boards.turned import turn
for flip in (False, True):
    for x, y in ((0, 0), (295, 0), (9, 8), (0, 127)):
        picture, out = bytearray(4736), bytearray(4736)
        picture[y * 37 + (x >> 3)] = 128 >> (x & 7)
        turn(picture, out, flip)
        print([(at // 296, at % 296, byte ^ 255) for at, byte in enumerate(out) if byte != 255])
panel = UC8151(Bus())
picture = bytearray(4736)
picture[8 * 37 + 1] = 64
panel.start(picture, True)
print([(at, byte ^ 255) for at, byte in enumerate(panel.bus.blocks[-1]) if byte != 255])
`),
  ).toEqual([
    '[(0, 0, 1)]',
    '[(0, 295, 1)]',
    '[(1, 9, 1)]',
    '[(15, 0, 128)]',
    '[(15, 295, 128)]',
    '[(15, 0, 128)]',
    '[(14, 286, 128)]',
    '[(0, 295, 1)]',
    '[(158, 1)]',
  ]);
});
