import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isSigned, signRelease } from '../../electron/server/update/signedRelease.ts';
import { readUpdatePolicy } from '../../electron/server/update/updatePolicy.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEY = String(publicKey.export({ type: 'spki', format: 'pem' }));
const RELEASE = { version: '1.2.3', files: [{ url: 'pickstation-1.2.3.AppImage', sha512: 'abc', size: 7 }] };
const SIGNATURE = signRelease(RELEASE, privateKey);

test('a release counts as signed with its own signature, whatever else the feed says', () => {
  expect(isSigned(RELEASE, SIGNATURE, KEY)).toBe(true);
  const [file] = RELEASE.files;
  expect(isSigned({ ...RELEASE, files: [{ ...file, blockMapSize: 3 } as never] }, SIGNATURE, KEY)).toBe(true);
});

test.for([
  ['another version', { ...RELEASE, version: '1.2.4' }, SIGNATURE],
  ['another file', { ...RELEASE, files: [{ url: 'other', sha512: 'abc', size: 7 }] }, SIGNATURE],
  ['another hash', { ...RELEASE, files: [{ url: 'pickstation-1.2.3.AppImage', sha512: 'abd', size: 7 }] }, SIGNATURE],
  ['one more file', { ...RELEASE, files: [...RELEASE.files, ...RELEASE.files] }, SIGNATURE],
  ['no file', { version: '1.2.3', files: [] }, signRelease({ version: '1.2.3', files: [] }, privateKey)],
  ['no signature', RELEASE, undefined],
  ['text', RELEASE, 'signed'],
  ['a stranger', RELEASE, signRelease(RELEASE, generateKeyPairSync('ed25519').privateKey)],
] as const)('a release is refused with %s', ([, release, signature]) => {
  expect(isSigned(release, signature, KEY)).toBe(false);
});

test('with a key that is none, nothing is signed', () => {
  expect(isSigned(RELEASE, SIGNATURE, 'no key')).toBe(false);
});

function policyFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-policy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'policy.json');
  writeFileSync(file, text);
  return file;
}

const NOWHERE = '/nonexistent/policy.json';

test('the file of the machine decides before the environment; without both the setting does', () => {
  const environment = { PICKSTATION_UPDATES: 'notify' };
  expect(readUpdatePolicy(environment, policyFile('{"updates": "off", "more": 1}'))).toEqual({ mode: 'off' });
  expect(readUpdatePolicy(environment, policyFile('{}'))).toEqual({ mode: undefined });
  expect(readUpdatePolicy(environment, NOWHERE)).toEqual({ mode: 'notify' });
  expect(readUpdatePolicy({}, NOWHERE)).toEqual({ mode: undefined });
});

test('a policy that cannot be read stops updates, and is named', () => {
  const file = policyFile('updates: off');
  expect(readUpdatePolicy({}, file).fault).toContain(file);
  expect(readUpdatePolicy({}, policyFile('{"updates": "never"}')).fault).toContain('auto, notify, off');
  expect(readUpdatePolicy({ PICKSTATION_UPDATES: 'no' }, NOWHERE).fault).toContain('PICKSTATION_UPDATES');
});
