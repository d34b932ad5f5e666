import { createHash } from 'node:crypto';
import { answerOf, NONCE_BYTES, proofOf, type Transcript } from '../../electron/server/services/turbos/turboProof.ts';

const KEY = 'psk_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const TRANSCRIPT: Transcript = {
  serialNumber: 'T-0042',
  username: 'turbo-aisle-1',
  turboNonce: Uint8Array.from({ length: NONCE_BYTES }, (_, at) => at),
  stationNonce: Uint8Array.from({ length: NONCE_BYTES }, (_, at) => 0xf0 + at),
};

/** How a turbo signs in without its key on the wire, with a test vector. */
export function signInByChallenge(): string[] {
  const keyHash = createHash('sha256').update(KEY).digest('base64');
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return [
    '## Sign-in by challenge',
    '',
    'Over TCP, or over a WebSocket to `/turbo/?sign_in=challenge` without a header `Authorization`, a turbo can prove an API key of the scope `turbo` that does not cross the wire.',
    'What follows the sign-in is not encrypted.',
    '',
    '1. The turbo says `hello` with `username`, without `secret`, and with a `nonce` of 16 new random bytes. `username` is the name of the API user.',
    '2. The station answers `welcome` with the status `challenged`, which begins no session, and a `challenge`: 16 random bytes, then its proof of 32 bytes; two proofs while a rotated key is still accepted.',
    '3. The turbo compares the proofs with its own block 0. If none is equal, the station does not know its key: it sends an empty `answer`.',
    '4. The turbo says `hello` again within 5 s, with a new sequence number, the same `nonce`, and the `answer`: the UTF-8 bytes of its key, each XOR the byte at its place in block 1, block 2 and so on.',
    '5. The station answers `accepted`, or `notSignedIn`; then the turbo begins anew after 30 s. An answer counts once.',
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
