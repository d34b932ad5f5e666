import type { NewSequence } from '#shared/api/sequence.ts';

type Graphics = { barcode?: string; qrcode?: string; icon?: string };
type Good = [name: string, note: string, onHand: number, graphics?: Graphics];
type Cell = { label: string; lines: [name: string, note: string, stock: string]; graphics: Graphics };
type Shelf = { name: string; buttons: 1 | 3; cells: Cell[] };

/** A small hardware shop for trying the product: two racks with their shelves from top to bottom, and the goods. */
export const DEMO_RACKS: { name: string; note: string; shelves: Shelf[] }[] = [
  {
    name: 'Rack A',
    note: 'fasteners and parts',
    shelves: [
      shelf('A-4', 1, [
        ['M8 washer', 'DIN 125 zinc', 240],
        ['M8 nut', 'DIN 934', 310],
        ['M8x40 hex', 'DIN 933 8.8', 96, { barcode: 'M8X40-933' }],
        ['M8x60 hex', 'DIN 933 8.8', 44, { barcode: 'M8X60-933' }],
      ]),
      shelf('A-3', 3, [
        ['Threadlock', '50 ml', 18],
        ['Cable tie 200', 'black, 100 pcs', 75],
        ['Heat shrink', '3:1, 6 mm', 61],
        ['Fuse 10 A', 'blade, red', 130],
      ]),
      shelf('A-2', 1, [
        ['O-ring 12x2', 'NBR 70', 505],
        ['Bearing 6202', '2RS', 24],
        ['Belt A38', '965 mm', 9],
        ['Grease EP2', '400 g', 33, { qrcode: 'https://q.example/ep2' }],
      ]),
    ],
  },
  {
    name: 'Rack B',
    note: 'safety',
    shelves: [
      shelf('B-2', 1, [
        ['Glove M', '12 pairs', 28, { icon: 'hazardn' }],
        ['Glove L', '12 pairs', 36, { icon: 'hazardn' }],
        ['Goggles', 'clear', 15, { icon: 'hazardl' }],
        ['Ear muffs', '27 dB', 12, { icon: 'hazardp' }],
      ]),
    ],
  },
];

/** A walk through the shop: one place, then two at the same time, then the last one. */
export const DEMO_SEQUENCE: NewSequence = {
  sequenceid: 'Bench kit',
  steps: [
    step(1, 'A-4-3', { line1: 'M8x40 hex', quantity: 8 }),
    step(2, 'A-4-1', { line1: 'M8 washer', quantity: 16 }),
    step(2, 'A-4-2', { line1: 'M8 nut', quantity: 8 }),
    step(3, 'A-3-1', { line1: 'Threadlock', quantity: 1 }),
  ],
};

function step(
  order: number,
  location: string,
  shown: { line1: string; quantity: number },
): NewSequence['steps'][number] {
  return { order, location, command: 'flash', ...shown, color: 'blue', seconds: 600 };
}

function shelf(name: string, buttons: 1 | 3, goods: Good[]): Shelf {
  const cells = goods.map(([good, note, onHand, graphics = {}], column): Cell => ({
    label: `${name}-${column + 1}`,
    lines: [good, note, `on hand ${onHand}`],
    graphics,
  }));
  return { name, buttons, cells };
}
