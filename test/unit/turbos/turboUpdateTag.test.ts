import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTurboSignIn } from '../../../electron/server/services/turbos/turboSignIn.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { startInterpreter } from '../../helpers/boards/interpreter.ts';
import { seededIds } from '../../helpers/seeded.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'turbo-protocol.md'), 'utf8');
const found = (pattern: RegExp): string => pattern.exec(PAGE)?.[1] ?? '';
const KEY = found(/Test vector: the key `(\w+)`/);
const [NONCE, HASH, TAG] = ['updateNonce', 'hash', 'tag'].map((name) =>
  found(new RegExp(`\\| \`${name}\` \\| \`(\\w+)\``)),
);

test('the board computes the signature of the page, and compares all of it', async () => {
  const python = await startInterpreter({ wires: {} });
  python.run(`
from binascii import hexlify, unhexlify
from hashlib import sha256
from core.proof import is_same, signature
print(hexlify(signature(sha256(b"${KEY}").digest(), "T-0042", unhexlify("${NONCE}"), 31, unhexlify("${HASH}"))).decode())
print(is_same(b"", b""), is_same(b"ab", b"ab"), is_same(b"ab", b"a"), is_same(b"", b"a"), is_same(b"ab", b"bb"), is_same(b"ab", b"aa"))
`);
  expect(python.printed()).toEqual([TAG, 'True True False False False False']);
});

test('the station signs with the key that signed in, and signs nothing for a turbo with a password', async () => {
  const hash = createHash('sha256').update(KEY).digest('base64');
  const byKey = { name: 'board-1', scope: 'turbo', credential: { kind: 'key', hash } } as const;
  const byPassword = {
    name: 'anna',
    scope: 'admin',
    credential: { kind: 'password', proved: { username: 'anna', role: 'admin', stored: '' } },
  } as never;
  const signIn = createTurboSignIn({
    access: {
      byKey: () => byKey,
      byKeyOrPassword: (username) => Promise.resolve(username === 'anna' ? byPassword : byKey),
      isTurboLive: () => true,
      listTurboHashes: () => [],
      findBoundTurbo: () => undefined,
    },
    clock: createFakeClock(0),
    ids: seededIds(1),
    takesPlainPasswords: () => true,
  });
  const update = {
    serialNumber: 'T-0042',
    nonce: Buffer.from(NONCE ?? '', 'hex'),
    files: 31,
    hash: Buffer.from(HASH ?? '', 'hex'),
  };
  const hexOf = (tag: Uint8Array | undefined) => tag && Buffer.from(tag).toString('hex');
  expect(hexOf(signIn.admitted(byKey).signUpdate(update))).toBe(TAG);
  expect(signIn.admitted(byPassword).signUpdate(update)).toBeUndefined();
  const { admit, signUpdate } = signIn.admission({ address: '10.0.0.7', isSafeForPasswords: true });
  expect(signUpdate(update)).toBeUndefined();
  await admit({ username: 'board-1', secret: KEY });
  expect(hexOf(signUpdate(update))).toBe(TAG);
  await admit({ username: 'anna', secret: 'her password' });
  expect(signUpdate(update)).toBeUndefined();
});
