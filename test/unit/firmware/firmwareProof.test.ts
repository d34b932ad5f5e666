import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { answerOf, proofOf } from '../../../electron/server/services/turbos/turboProof.ts';
import { BoardBench } from '../../helpers/boards/boardBench.ts';
import { startInterpreter } from '../../helpers/boards/interpreter.ts';

const KEY = 'psk_0123456789abcdefghijklmnopqrstuvwxyz-_ABCDE';
const HASH = createHash('sha256').update(KEY).digest('base64');

async function python() {
  const interpreter = await startInterpreter({ wires: {} });
  interpreter.run('from binascii import hexlify, unhexlify\nfrom core.proof import Proof, hmac\nWORDS = [0]');
  interpreter.run('def random32():\n    WORDS[0] += 1\n    return WORDS[0]');
  return (code: string): string[] => {
    const before = interpreter.printed().length;
    interpreter.run(code);
    return interpreter.printed().slice(before);
  };
}

test('computes the same HMAC as Node', async () => {
  const run = await python();
  for (const [key, data] of [
    ['4a656665', Buffer.from('what do ya want for nothing?')],
    ['aa'.repeat(32), Buffer.alloc(0)],
    ['0b'.repeat(64), Buffer.alloc(200, 7)],
  ] as const) {
    expect(run(`print(hexlify(hmac(unhexlify("${key}"), unhexlify("${data.toString('hex')}"))).decode())`)).toEqual([
      createHmac('sha256', Buffer.from(key, 'hex')).update(data).digest('hex'),
    ]);
  }
});

test('a board proves its key only to a station that knows the hash of the key', async () => {
  const run = await python();
  run(`proof = Proof("board-51D000:00Ü001", "board ü", "${KEY}", random32)\nproof.begin()`);
  const [nonce = ''] = run('print(hexlify(proof.nonce).decode())');
  expect(nonce).toBe('01000000020000000300000004000000');
  const stationNonce = Buffer.alloc(16, 9);
  const names = { serialNumber: 'board-51D000:00Ü001', username: 'board ü' };
  const transcript = { ...names, turboNonce: Buffer.from(nonce, 'hex'), stationNonce };
  const meet = (...parts: Buffer[]): string[] =>
    run(`print(proof.meet(unhexlify("${Buffer.concat([stationNonce, ...parts]).toString('hex')}")), proof.answer)`);
  const right = proofOf(HASH, transcript);
  expect(meet()).toEqual(["False b''"]);
  expect(meet(Buffer.alloc(32, 1))).toEqual(["False b''"]);
  expect(meet(right.subarray(0, 31))).toEqual(["False b''"]);
  expect(meet(proofOf(HASH, { ...transcript, serialNumber: 'board-1' }))).toEqual(["False b''"]);
  // The board rejects its own answer as a proof.
  expect(meet(answerOf(KEY, transcript).subarray(0, 32))).toEqual(["False b''"]);
  // During a key rotation the station sends two proofs; the second one fits this board's key.
  run(`print(proof.meet(unhexlify("${Buffer.concat([stationNonce, Buffer.alloc(32, 1), right]).toString('hex')}")))`);
  expect(run('print(hexlify(proof.answer).decode())')).toEqual([answerOf(KEY, transcript).toString('hex')]);
  expect(run('proof.begin()\nprint(proof.answer, hexlify(proof.nonce).decode()[:4])')).toEqual(['None 0500']);
});

test('a board with a key does not talk to a station that accepts it without a challenge', async () => {
  const bench = new BoardBench();
  const said: string[] = [];
  bench.options.log = (text) => void said.push(text);
  bench.options.config = { transport: 'tcp', user: 'board-1', key: KEY };
  const nonces: string[] = [];
  bench.up = (data) => {
    if (data[2] === 0x01) nonces.push(Buffer.from(data.slice(-20, -4)).toString('hex'));
    return data;
  };
  const board = await bench.boot();
  // This station accepts any board without a challenge.
  bench.run(5_000);
  expect([bench.hellos, bench.statuses.length, bench.synced]).toEqual([1, 0, 0]);
  expect(said).toEqual(['The station refuses this board: 1']);
  bench.run(30_000);
  expect(nonces).toHaveLength(2);
  expect(new Set(nonces).size).toBe(2);
  // The light shows the refusal: five flashes every six seconds.
  board.leds.length = 0;
  bench.run(6_000);
  expect(board.leds.filter(([red, green]) => red === 255 && green === 0)).toHaveLength(5);
});
