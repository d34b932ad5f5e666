import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRelease } from '../../../electron/server/update/signedRelease.ts';
import { signRelease } from '../../../electron/server/update/signRelease.ts';
import { readUpdatePolicy } from '../../../electron/server/update/updatePolicy.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEY = String(publicKey.export({ type: 'spki', format: 'pem' }));
const FILE = { url: 'pickstation-1.2.3.AppImage', sha512: 'abc', size: 7 };
const RELEASE = { list: 'latest-linux', version: '1.2.3', signed_at: '2026-11-20T08:00:00.000Z', files: [FILE] };
const LIST = signRelease(RELEASE, privateKey);
const SIGNATURE = (JSON.parse(LIST) as { signature: string }).signature;

const read = (list: unknown, key = KEY): unknown => readRelease(JSON.stringify(list), 'latest-linux', key);

test('reads a signed list, without its other fields', () => {
  expect(readRelease(LIST, 'latest-linux', KEY)).toEqual(RELEASE);
  const more = { ...RELEASE, files: [{ ...FILE, blockMapSize: 3 }], packages: { x64: {} }, signature: SIGNATURE };
  expect(read(more)).toEqual(RELEASE);
});

test.for([
  ['a different version', { ...RELEASE, version: '1.2.4' }],
  ['a different date', { ...RELEASE, signed_at: '2027-11-20T08:00:00.000Z' }],
  ['a different file', { ...RELEASE, files: [{ ...FILE, url: 'other' }] }],
  ['a different hash', { ...RELEASE, files: [{ ...FILE, sha512: 'abd' }] }],
  ['a different size', { ...RELEASE, files: [{ ...FILE, size: 8 }] }],
  ['different rights', { ...RELEASE, files: [{ ...FILE, isAdminRightsRequired: true }] }],
  ['an additional file', { ...RELEASE, files: [FILE, FILE] }],
  ['an added system requirement', { ...RELEASE, minimumSystemVersion: '99' }],
] as const)('refuses a release with %s', ([, release]) => {
  expect(() => read({ ...release, signature: SIGNATURE })).toThrow('is not signed by the makers');
});

test('refuses a release with a foreign or invalid signature, or in the list of a different system', () => {
  const [stranger, other] = [
    signRelease(RELEASE, generateKeyPairSync('ed25519').privateKey),
    signRelease({ ...RELEASE, list: 'latest-mac' }, privateKey),
  ];
  for (const list of [stranger, other, JSON.stringify({ ...RELEASE, signature: 'signed' })])
    expect(() => readRelease(list, 'latest-linux', KEY)).toThrow('is not signed by the makers');
});

test('distinguishes an answer that is not a list of releases from a changed list', () => {
  const files = [[], [{ ...FILE, size: undefined }], [{ ...FILE, size: -1 }], 'all'];
  const lists = [
    JSON.stringify({ ...RELEASE, signed_at: undefined, signature: SIGNATURE }),
    '<html>Sign in to this network</html>',
    JSON.stringify(RELEASE),
    ...files.map((given) => JSON.stringify({ ...RELEASE, files: given, signature: SIGNATURE })),
  ];
  for (const list of lists)
    expect(() => readRelease(list, 'latest-linux', KEY)).toThrow('the answer is not a list of releases');
});

function policyFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-policy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'policy.json');
  writeFileSync(file, text);
  return file;
}

const NOWHERE = '/nonexistent/policy.json';

test("the machine's policy file overrides the environment; without either, the setting decides", () => {
  const environment = { PICKSTATION_UPDATES: 'notify' };
  expect(readUpdatePolicy(environment, policyFile('{"updates": "off", "more": 1}'))).toEqual({ mode: 'off' });
  expect(readUpdatePolicy(environment, policyFile('{}'))).toEqual({ mode: undefined });
  expect(readUpdatePolicy(environment, NOWHERE)).toEqual({ mode: 'notify' });
  expect(readUpdatePolicy({}, NOWHERE)).toEqual({ mode: undefined });
});

test('names a policy that cannot be read, and does not fall back to the environment', () => {
  const file = policyFile('updates: off');
  expect(readUpdatePolicy({}, file).fault).toContain(file);
  expect(readUpdatePolicy({}, policyFile('{"updates": "never"}')).fault).toContain('auto, notify, off');
  expect(readUpdatePolicy({ PICKSTATION_UPDATES: 'no' }, NOWHERE).fault).toContain('PICKSTATION_UPDATES');
  for (const broken of [file, policyFile(''), policyFile('"off"'), dirname(file)]) {
    const policy = readUpdatePolicy({ PICKSTATION_UPDATES: 'auto' }, broken);
    expect(policy).toEqual({ mode: undefined, fault: expect.stringContaining('so there are none') as string });
  }
});
