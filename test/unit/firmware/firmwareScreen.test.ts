import { expect, test } from 'vitest';
import '#shared/screen/allSheets.ts';
import { packBits } from '../../../electron/server/turbo/frames/protocol/packBits.ts';
import { ARROWS, boxedElements, countElements, type ScreenContent } from '#shared/screen/content.ts';
import type { FrameItem } from '#shared/screen/items.ts';
import { layout, type LayoutOptions } from '#shared/screen/layout.ts';
import { rasterize } from '#shared/screen/drawing.ts';
import { bitmap, BoardBench } from '../../helpers/boards/boardBench.ts';
import { startInterpreter } from '../../helpers/boards/interpreter.ts';

/** Drawing options for a current board, for one with an unknown battery voltage, and for old firmware. */
const OPTIONS = { firmware: 100, batteryMv: 3_000 };
const ALL_OPTIONS = [OPTIONS, { firmware: 100, batteryMv: null }, { firmware: 1, batteryMv: 3_000 }];

/** Yields every arrangement of a screen with a quantity within the limits. */
function* arrangements(): Generator<ScreenContent> {
  for (const arrow of [null, ...ARROWS])
    for (const icon of ['', 'hazardf'])
      for (const qrcode of ['', 'https://example.com/1'])
        for (const barcode of ['', '12345'])
          for (const label of ['', 'A-01-02'])
            for (const quantity of [7, 42, 120])
              for (const count of [0, 1, 3]) {
                const lines = ['Bolt M6', 'Steel 20', 'Box'].slice(0, count);
                const content = { label, lines, quantity, arrow, barcode, qrcode, icon };
                if (boxedElements(content).length <= 2 && countElements(content) <= 5) yield content;
              }
}

function boxOf(content: ScreenContent, options: LayoutOptions = OPTIONS): FrameItem | undefined {
  return layout(content, options).items.find(
    (item): item is FrameItem => item.kind === 'frame' && item.owner === 'quantity',
  );
}

test('finds the box of the quantity in every picture that a station draws', async () => {
  const python = await startInterpreter({ wires: {} });
  python.run(`
from binascii import unhexlify
from core.bits import unpack, is_picture, SIZE
from core.digits import find_box
PICTURE = bytearray(SIZE)
def find(packed):
    packed = unhexlify(packed)
    assert is_picture(packed, 1)
    unpack(packed, 1, memoryview(PICTURE))
    return " ".join(str(each) for each in find_box(PICTURE) or ())
`);
  const find = python.find('find');
  const seen = new Set<string>();
  const places = new Set<string>();
  for (const options of ALL_OPTIONS) {
    for (const content of arrangements()) {
      const box = boxOf(content, options);
      if (box === undefined) throw new Error('no box');
      const { x, y, width, height, border } = box;
      const wanted = `${x} ${y} ${width} ${height} ${border}`;
      const { icon, arrow, qrcode } = content;
      const kind = [wanted, icon, arrow, qrcode].join(' / ');
      if (seen.has(kind)) continue;
      seen.add(kind);
      places.add(wanted);
      const { bytes } = rasterize(layout(content, options));
      expect(find(Buffer.from(packBits(bytes)).toString('hex')), JSON.stringify(content)).toBe(wanted);
    }
  }
  // Each row of the board's table belongs to at least one picture.
  python.run('from core.digits import BOXES\ndef rows(): return len(BOXES) // 5');
  expect(places.size).toBe(python.find('rows')());
});

/** Returns a part of the picture as rows of text. */
function picture(bytes: Uint8Array, { x, y, width, height }: Omit<FrameItem, 'kind' | 'owner' | 'border'>): string[] {
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => {
      const at = x + column;
      return (((bytes[(y + row) * 37 + (at >> 3)] ?? 0) >> (7 - (at & 7))) & 1) === 1 ? '#' : '.';
    }).join(''),
  );
}

test('plus changes the number in its box and no pixel outside the box', async () => {
  const bench = new BoardBench();
  const board = await bench.boot();
  bench.run(300);
  const content = { label: 'A-1', lines: ['Bolt'], quantity: 3, arrow: null, barcode: '', qrcode: '', icon: '' };
  bench.show({ token: 5, quantity: 3, content });
  bench.run(200);
  const before = [...board.picture];
  expect(board.press('plus')).toBeGreaterThan(0);
  bench.run(200);
  const box = boxOf(content);
  if (box === undefined) throw new Error('no box');
  const changed = before.flatMap((byte, at) => (byte === board.picture[at] ? [] : [at]));
  expect(changed.length).toBeGreaterThan(50);
  for (const at of changed) {
    const [row, column] = [Math.floor(at / 37), (at % 37) * 8];
    expect(row).toBeGreaterThanOrEqual(box.y);
    expect(row).toBeLessThan(box.y + box.height);
    expect(column + 7).toBeGreaterThanOrEqual(box.x);
    expect(column).toBeLessThan(box.x + box.width);
  }
  expect(board.refreshes).toEqual([{ isFull: true }, { isFull: false }, { isFull: false }]);
  // The picture in readable form. A person has checked it; it must not change.
  const small = picture(board.picture, box).filter((_, row) => row % 4 === 2);
  expect(small.map((line) => line.replaceAll(/(.)./g, '$1')).join('\n')).toMatchInlineSnapshot(`
    "######################################################
    ##..................................................##
    ##.........................#######..................##
    ##.........................#######..................##
    ##......................##########..................##
    ##......................##########..................##
    ##....................#####..#####..................##
    ##....................#####..#####..................##
    ##....................#####..#####..................##
    ##.................#####.....#####..................##
    ##.................#####.....#####..................##
    ##.................#####.....#####..................##
    ##...............#####.......#####..................##
    ##...............#####.......#####..................##
    ##...............####################...............##
    ##...............####################...............##
    ##...............####################...............##
    ##...........................#####..................##
    ##...........................#####..................##
    ##...........................#####..................##
    ##...........................#####..................##
    ##...........................#####..................##
    ##..................................................##
    ##..................................................##
    ######################################################"
  `);
});

test('draws the number, even a large one, in the lower right corner of a picture without a box', async () => {
  const bench = new BoardBench();
  const board = await bench.boot();
  bench.run(300);
  bench.show({ token: 5, quantity: 998, screen: bitmap({ lines: ['Only a line'] }) });
  bench.run(200);
  const before = [...board.picture];
  board.press('plus');
  board.press('plus');
  bench.run(200);
  const changed = before.flatMap((byte, at) => (byte === board.picture[at] ? [] : [at]));
  expect(changed.length).toBeGreaterThan(50);
  for (const at of changed) {
    expect(Math.floor(at / 37)).toBeGreaterThanOrEqual(128 - 53);
    expect((at % 37) * 8 + 7).toBeGreaterThanOrEqual(296 - 84);
  }
  // The count stops at 999.
  expect([...bench.reports.values()].map(({ body }) => body.quantity)).toEqual([999, 999]);
});
