import { expect, test } from 'vitest';
import { signingNotice, type RunCheck } from '../../../tools/packages/signing.ts';

/** Answers the commands that begin with these keys. All other commands succeed without output. */
function system(answers: Record<string, { code?: number; said?: string }>): RunCheck {
  return (program, args) => {
    const line = [program, ...args].join(' ');
    const [, { code = 0, said = '' } = {}] = Object.entries(answers).find(([start]) => line.startsWith(start)) ?? [];
    return { code, said };
  };
}

test('a signed and notarized program for macOS needs no notice', () => {
  expect(signingNotice('darwin', 'Pickstation.app', system({}))).toBeUndefined();
});

test('an unsigned program for macOS, or one signed only for this machine, gets a prominent notice', () => {
  const unsigned = system({ 'codesign --verify': { code: 1, said: 'code object is not signed at all\n' } });
  expect(signingNotice('darwin', 'Pickstation.app', unsigned)).toMatch(
    /\*{20,}\n\* Pickstation\.app +\*\n\* It is NOT SIGNED: code object is not signed at all\. +\*\n/,
  );
  const adHoc = system({ 'codesign --display': { said: 'Signature=adhoc\n' } });
  expect(signingNotice('darwin', 'Pickstation.app', adHoc)).toContain('NOT SIGNED (ad hoc only)');
});

test('says that a program is signed but not notarized', () => {
  const signed = system({ 'xcrun stapler validate': { code: 65 } });
  expect(signingNotice('darwin', 'Pickstation.app', signed)).toContain('signed, but NOT NOTARISED');
});

test('an installer for Windows counts as signed if Windows trusts the signature', () => {
  expect(signingNotice('win32', "it's.exe", system({ powershell: { said: 'Valid\r\n' } }))).toBeUndefined();
  const untrusted = system({ powershell: { said: 'NotTrusted\r\n' } });
  expect(signingNotice('win32', "it's.exe", untrusted)).toContain('NOT SIGNED (NotTrusted)');
  expect(signingNotice('win32', 'a.exe', system({ powershell: { code: 1 } }))).toContain('NOT SIGNED (no answer)');
});

test('a Linux package needs no notice, because it contains no signature', () => {
  expect(signingNotice('linux', 'pickstation.deb', system({}))).toBeUndefined();
});
