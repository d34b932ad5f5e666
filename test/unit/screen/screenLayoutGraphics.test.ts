import { describe, expect, test } from 'vitest';
import { ARROWS } from '#shared/screen/content.ts';
import { formatQuantity } from '#shared/screen/graphicArea.ts';
import { inkOf, lay, NEW_FIRMWARE, OLD_FIRMWARE, theItem } from '../../golden/screenHelpers.ts';

describe('a quantity', () => {
  test.for([
    [0, '0'],
    [99, '99'],
    [100, '99+'],
    [1e9, '99+'],
    [7.9, '7'],
    [-1, '?'],
    [NaN, '?'],
  ] as const)('of %d is drawn %s', ([quantity, text]) => {
    expect(formatQuantity(quantity)).toBe(text);
  });

  test('is centered in its box', () => {
    const placed = lay({ quantity: 12, lines: ['M8 nut'] });
    const box = theItem(placed, 'quantity', 'frame');
    const ink = inkOf(theItem(placed, 'quantity', 'text'));
    expect(Math.abs(ink.left - box.x - (box.x + box.width - ink.right))).toBeLessThanOrEqual(1);
    expect(Math.abs(ink.top - box.y - (box.y + box.height - ink.bottom))).toBeLessThanOrEqual(2);
  });

  test('has the same figure size for all two-digit numbers', () => {
    for (const content of [{}, { arrow: 'left' }, { icon: 'hazardd', barcode: 'A' }, { qrcode: 'M8' }] as const) {
      const sizes = Array.from(
        { length: 90 },
        (_, index) => theItem(lay({ ...content, quantity: 10 + index }), 'quantity', 'text').size,
      );
      expect(new Set(sizes).size).toBe(1);
    }
  });

  test.for([
    ['next to text', { lines: ['M8 nut'] }, [75, 75, 47]],
    ['above a barcode', { lines: ['M8 nut'], barcode: '12345' }, [61, 61, 47]],
    ['next to an arrow', { arrow: 'left' }, [47, 47, 47]],
    ['next to an arrow, above a barcode', { arrow: 'left', barcode: '12345' }, [61, 61, 47]],
    ['above a sign', { icon: 'hazardd' }, [47, 47, 47]],
    ['below a QR code', { qrcode: 'M8' }, [47, 47, 47]],
    ['next to a QR code, above a barcode', { qrcode: 'M8', barcode: '12345' }, [61, 47, 47]],
  ] as const)('has the expected height for one, two and three characters %s', ([, content, heights]) => {
    const placed = [5, 12, 120].map((quantity) => theItem(lay({ ...content, quantity }), 'quantity', 'text').height);
    expect(placed).toEqual(heights);
  });
});

describe('a sign', () => {
  test.for([
    ['96 pixels next to text', { lines: ['Drums'] }, 96],
    ['62 pixels above a barcode', { lines: ['Drums'], barcode: '12345' }, 62],
    ['62 pixels next to a quantity or an arrow', { quantity: 12 }, 62],
    ['62 pixels next to an arrow above a barcode', { arrow: 'left', barcode: '12345' }, 62],
    ['44 pixels next to a quantity above a barcode', { quantity: 12, barcode: '12345' }, 44],
    ['44 pixels next to a QR code', { qrcode: 'M8' }, 44],
  ] as const)('is %s', ([, content, size]) => {
    expect(theItem(lay({ ...content, icon: 'hazardd' }), 'icon', 'icon')).toMatchObject({ char: 'd', size });
  });

  test('is found by its readable name too', () => {
    expect(theItem(lay({ icon: 'no-smoking' }), 'icon', 'icon').char).toBe('d');
  });
});

describe('an arrow, firmware 67 and newer', () => {
  test.for(ARROWS)('moves the graphic area to the right edge if it points right: %s', (name) => {
    for (const content of [{}, { quantity: 12 }, { qrcode: 'M8' }, { icon: 'hazardd' }]) {
      for (const barcode of ['', '12345']) {
        const placed = lay({ ...content, arrow: name, barcode, lines: ['M8 nut'] }, NEW_FIRMWARE);
        const text = inkOf(theItem(placed, 'line1', 'text'));
        for (const item of placed.items.filter(({ owner }) => owner in content || owner === 'arrow')) {
          if (name.endsWith('right')) expect(text.right).toBeLessThan(inkOf(item).left);
          else expect(text.left).toBeGreaterThan(inkOf(item).right);
        }
      }
    }
  });

  test.for(['quantity', 'qrcode', 'icon'] as const)('that points up is above a %s if there is no barcode', (name) => {
    const other = { quantity: { quantity: 5 }, qrcode: { qrcode: 'M8' }, icon: { icon: 'hazardd' } }[name];
    for (const arrow of ['top', 'topleft', 'topright'] as const) {
      const [newer, older] = [NEW_FIRMWARE, OLD_FIRMWARE].map((options) => lay({ ...other, arrow }, options));
      if (newer === undefined || older === undefined) throw new Error('Two layouts were asked for.');
      const topOf = (placed: typeof newer, owner: string) => placed.items.find((item) => item.owner === owner)?.y ?? 0;
      expect(topOf(newer, 'arrow')).toBeLessThan(topOf(newer, name));
      expect(topOf(older, 'arrow')).toBeGreaterThan(topOf(older, name));
    }
  });

  test.for(['quantity', 'qrcode', 'icon'] as const)('is on the outer side of a %s above a barcode', (name) => {
    const other = { quantity: { quantity: 5 }, qrcode: { qrcode: 'M8' }, icon: { icon: 'hazardd' } }[name];
    const leftOf = (arrow: 'left' | 'right' | 'top', owner: string) => {
      const placed = lay({ ...other, arrow, barcode: '12345' }, NEW_FIRMWARE);
      return placed.items.find((item) => item.owner === owner)?.x ?? 0;
    };
    expect(leftOf('left', 'arrow')).toBeLessThan(leftOf('left', name));
    expect(leftOf('right', 'arrow')).toBeGreaterThan(leftOf('right', name));
    expect(leftOf('top', 'arrow')).toBeGreaterThan(leftOf('top', name));
  });
});

describe('older firmware', () => {
  test.for(ARROWS)('draws the arrow %s in the middle of the graphic area at the left', (name) => {
    const arrow = theItem(lay({ arrow: name, lines: ['M8 nut'] }, OLD_FIRMWARE), 'arrow', 'arrow');
    expect(arrow.x + arrow.width / 2).toBe(58);
  });
});
