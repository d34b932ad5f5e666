import { expect, test } from 'vitest';
import { describeFolderError } from '../../../electron/server/domain/folders/describeFolderError.ts';

const of = (code: string): string => describeFolderError(Object.assign(new Error('x'), { code }), '/in');

test('describes a system error in a sentence that says what to do', () => {
  expect(of('ENOENT')).toBe('/in does not exist. Create it, or connect its drive or share.');
  expect(of('EPERM')).toBe('The station is not allowed to read and write in /in. Give its account this right.');
  expect(of('EROFS')).toBe('/in is read-only. Allow the station to write in it.');
  expect(of('ENOTDIR')).toBe('/in is a file, not a folder. Rename or remove it.');
  expect(of('ENOSPC')).toBe('The disk of /in is full. Free some space.');
  expect(of('EBUSY')).toBe('Another program uses /in. Close it in that program.');
  expect(of('ESTALE')).toBe('/in does not answer. Check its drive or share.');
  expect(of('EWEIRD')).toBe('/in cannot be used (EWEIRD).');
  expect(describeFolderError(new Error('broken'), '/in')).toBe('/in cannot be used (Error: broken).');
});
