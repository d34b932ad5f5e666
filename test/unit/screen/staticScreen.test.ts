import { expect, test } from 'vitest';
import { NO_STATICS } from '#shared/lib/requests/deviceFields.ts';
import type { StaticChanges } from '#shared/lib/requests/deviceRequest.ts';
import { checkStatics, staticScreen, type Statics } from '#shared/lib/requests/staticScreen.ts';

const shown = (statics: Partial<Statics>) => staticScreen({ ...NO_STATICS, ...statics }, 'A-1');

test('a line with an element shows the element and keeps its slot empty', () => {
  expect(shown({ statica: 'M8', staticb: '\\BC12 3', staticc: 'blue' })).toEqual({
    label: 'A-1',
    lines: ['M8', '', 'blue'],
    quantity: null,
    arrow: null,
    barcode: '12 3',
    qrcode: '',
    icon: '',
  });
  expect(shown({ staticb: '\\ic up ', staticc: '\\icno-smoking' })).toMatchObject({
    lines: [],
    arrow: 'top',
    icon: 'hazardd',
  });
  expect(shown({ staticd: '\\qrx' })).toMatchObject({ lines: [], qrcode: 'x' });
  expect(shown({ staticb: '\\bc', staticc: '\\icof-a-newer-version' })).toMatchObject({
    lines: [],
    barcode: '',
    icon: '',
  });
});

test('the first line with an element wins over other lines, and over its field', () => {
  const statics = { staticb: '\\bc2', staticd: '\\bc4', barcode: '0' };
  expect(shown(statics).barcode).toBe('2');
  expect(shown({ ...statics, staticb: '' }).barcode).toBe('4');
  expect(shown({ ...statics, staticb: 'text', staticd: '' }).barcode).toBe('0');
  expect(shown({ arrow: 'left', staticc: '\\icright' }).arrow).toBe('right');
});

test('reports the hidden element when it or the shown one changes, but not after other changes', () => {
  const statics = { ...NO_STATICS, staticb: '\\bc2', barcode: '0' };
  const said = (changes: StaticChanges) => checkStatics(statics, changes).leftOut.map(({ message }) => message);
  const both = [expect.stringMatching(/barcode.*"2" in staticb is shown.*"0" in barcode is not/)];
  expect(said({ staticb: '\\bc2' })).toEqual(both);
  expect(said({ barcode: '0' })).toEqual(both);
  expect(said({ quantity: 4, statica: '' })).toEqual([]);
});

test('draws as much as fits, and names the omitted fields', () => {
  const statics = {
    ...NO_STATICS,
    statica: 'a',
    staticb: '\\qrx',
    staticc: 'c',
    staticd: 'd',
    statice: 'e',
    quantity: 7,
  };
  expect(staticScreen(statics, '')).toMatchObject({ lines: ['a', '', 'c', 'd', 'e'], qrcode: '', quantity: 7 });
  expect(checkStatics(statics, {}).leftOut).toEqual([
    { path: '/staticb', message: 'qrcode in staticb is not drawn: at most 5 elements fit one screen.' },
  ]);
  const lines = { ...statics, staticb: 'b' };
  expect(staticScreen(lines, '')).toMatchObject({ lines: ['a', 'b', 'c', 'd'], quantity: 7 });
  expect(checkStatics(lines, {}).leftOut).toMatchObject([{ path: '/statice' }]);
});
