import { createHash } from 'node:crypto';
import {
  answerOf,
  NONCE_BYTES,
  proofOf,
  updateTagOf,
  type Transcript,
} from '../../electron/server/services/turbos/turboProof.ts';

const KEY = 'psk_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const TRANSCRIPT: Transcript = {
  serialNumber: 'T-0042',
  username: 'turbo-aisle-1',
  turboNonce: Uint8Array.from({ length: NONCE_BYTES }, (_, at) => at),
  stationNonce: Uint8Array.from({ length: NONCE_BYTES }, (_, at) => 0xf0 + at),
};

const UPDATE = {
  serialNumber: TRANSCRIPT.serialNumber,
  nonce: Uint8Array.from({ length: NONCE_BYTES }, (_, at) => 0x40 + at),
  files: 31,
  hash: Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at),
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const keyHash = createHash('sha256').update(KEY).digest('base64');

/** Describes how a turbo verifies that new firmware comes from its station, with a test vector. */
export function signedUpdates(): string[] {
  return [
    '## Signed updates',
    '',
    'Nothing else after the sign-in is authenticated, so a turbo in a network takes firmware only with a signature for this version, this turbo and this session:',
    '',
    '1. Its `hello` has an `updateNonce` of 16 random bytes, new for each session.',
    '2. The station sends `update` (begin) with the `hash` over all files and a `tag`: HMAC-SHA-256 with the SHA-256 of the key that signed in as its key, over the byte 255, `serialNumber` as `text8`, the nonce, `files` as `u16` and the 32 bytes of `hash`.',
    '3. The turbo compares the tag in constant time before it erases or writes anything. No block of a sign-in has the number 255, so neither passes as the other.',
    '4. At the switch it compares the hash over what its flash has, and the number of files, with what was signed.',
    '',
    'If either is wrong it answers `badSignature`, drops the files and runs what it ran. It must not depend on what it said: without its nonce in `hello` the station sends no tag, and the turbo refuses.',
    'A turbo at a cable sends no `updateNonce` and needs no tag. The station has no key to sign with for a turbo that signed in with a password.',
    '',
    `Test vector: the key above, \`serialNumber\` \`${UPDATE.serialNumber}\`, ${UPDATE.files} files.`,
    '',
    '| Value | Bytes |',
    '|---|---|',
    `| \`updateNonce\` | \`${hex(UPDATE.nonce)}\` |`,
    `| \`hash\` | \`${hex(UPDATE.hash)}\` |`,
    `| \`tag\` | \`${hex(updateTagOf(keyHash, UPDATE))}\` |`,
    '',
  ];
}

/** Describes how a turbo signs in without sending its key, with a test vector. */
export function signInByChallenge(): string[] {
  return [
    '## Sign-in by challenge',
    '',
    'Over TCP, or over a WebSocket to `/turbo/?sign_in=challenge` without a header `Authorization`, a turbo can prove an API key of the scope `turbo` that does not cross the wire.',
    'What follows the sign-in is neither encrypted nor authenticated, except [updates](#signed-updates).',
    '',
    '1. The turbo says `hello` with `username`, without `secret`, and with a `nonce` of 16 new random bytes. `username` is the name of the API user.',
    '2. The station answers `welcome` with the status `challenged`, which begins no session, and a `challenge`: 16 random bytes, then its proof of 32 bytes; two proofs while a rotated key is still accepted.',
    '3. The turbo compares the proofs with its own block 0. If none is equal, the station does not know its key: it sends an empty `answer`.',
    '4. The turbo says `hello` again within 5 s, with a new sequence number, the same `nonce`, and the `answer`: the UTF-8 bytes of its key, each XOR the byte at its place in block 1, block 2 and so on.',
    '5. The station answers `accepted`, or `notSignedIn`; then the turbo starts again after 30 s. An answer counts once.',
    '',
    'Block n is HMAC-SHA-256 with the SHA-256 of the key as its key, over: n as `u8`, `serialNumber` and `username` as `text8`, the nonce of the turbo, the 16 bytes of the station.',
    'A turbo that asked for a challenge trusts no `accepted` without one.',
    '',
    `Test vector: the key \`${KEY}\`, \`serialNumber\` \`${TRANSCRIPT.serialNumber}\`, \`username\` \`${TRANSCRIPT.username}\`.`,
    '',
    '| Value | Bytes |',
    '|---|---|',
    `| \`nonce\` | \`${hex(TRANSCRIPT.turboNonce)}\` |`,
    `| the station's 16 bytes | \`${hex(TRANSCRIPT.stationNonce)}\` |`,
    `| its proof | \`${hex(proofOf(keyHash, TRANSCRIPT))}\` |`,
    `| \`answer\` | \`${hex(answerOf(KEY, TRANSCRIPT))}\` |`,
    '',
    'A key that the station made for a board is for this board only: with another `serialNumber` it is `refused`, and what it says about another device is answered `unknownDevice`.',
    '',
  ];
}
