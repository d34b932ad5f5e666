import { expect, test } from 'vitest';
import { rejectedRows } from '#shared/lib/rejectedRows.ts';

const BOM = '\ufeff';

test('rejected rows keep every column of the file, and get a reason that replaces an earlier one', () => {
  const csv = 'order;Reason;color of box\r\nA1;old;red\r\n\r\nA2;;"b;lue"\r\nA3';
  const reasons = new Map([
    [2, 'It has no quantity.'],
    [5, '"x", is not a color'],
  ]);
  expect(rejectedRows(csv, reasons, true)).toBe(
    `${BOM}order,color of box,reason\r\nA1,red,It has no quantity.\r\nA3,,"""x"", is not a color"\r\n`,
  );
  expect(rejectedRows('a,1\nb,2', new Map([[2, 'why']]), false)).toBe(`${BOM}b,2,why\r\n`);
});
