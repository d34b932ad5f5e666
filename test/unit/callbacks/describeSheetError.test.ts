import { expect, test } from 'vitest';
import { describeSheetError, sheetRefusal } from '../../../electron/server/domain/folders/describeSheetError.ts';

const of = (code: string): string => describeSheetError(Object.assign(new Error('x'), { code }));

test('describes a network error in a sentence', () => {
  expect(of('ENOTFOUND')).toBe(
    'The host of the sheet was not found. Check the address, and the network of this machine.',
  );
  expect(of('ECONNREFUSED')).toBe('The host of the sheet refuses the connection. Check the address.');
  expect(of('DEPTH_ZERO_SELF_SIGNED_CERT')).toBe('The certificate of the host is not trusted. Check the address.');
  expect(of('EPROTO')).toBe('The encrypted connection failed. Check the address.');
  expect(of('ECONNRESET')).toBe('The host of the sheet cannot be reached. Check the network of this machine.');
  expect(of('HPE_INVALID')).toBe('The sheet could not be read (HPE_INVALID).');
  expect(describeSheetError(new Error('Our own sentence.'))).toBe('Our own sentence.');
  expect(describeSheetError('x')).toBe('The sheet could not be read.');
});

test('describes each status that comes without a sheet in a sentence', () => {
  expect([200, 304].map(sheetRefusal)).toEqual(['', '']);
  expect(sheetRefusal(401)).toContain('the sheet is not public');
  expect(sheetRefusal(410)).toContain('there is no such sheet');
  expect(sheetRefusal(503)).toBe('The host answered 503. Try again later.');
});
