import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Firmware } from '../../../electron/server/ports.ts';
import { updateTagOf } from '../../../electron/server/services/turbos/turboProof.ts';
import { hashOfAll, isReplaced, sha256 } from '../../../electron/server/turbo/boards/firmware.ts';
import type { Body, RequestMessage } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { BoardBench } from '../../helpers/boards/boardBench.ts';
import { online, updateBoard } from '../../helpers/boards/boardUpdate.ts';
import { newFirmware } from '../../helpers/boards/newFirmware.ts';

const KEY = 'psk_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const HASH = createHash('sha256').update(KEY).digest('base64');
const FORGED =
  'The board refuses the update, because its signature is wrong: somebody between the station and the board may have changed it. It runs what it ran before.';
const DAMAGED = /^Files arrived damaged in the flash of the board\. .*somebody on the way changes them/;
const LINE = '# made by somebody else\n';

const filesOf = ({ files }: Firmware) => files.filter(({ path }) => isReplaced(path));

/** Starts a network board with its key. */
async function networkBoard(uniqueId = 'bench'): Promise<BoardBench> {
  const bench = new BoardBench({ key: KEY, uniqueId });
  await online(bench);
  return bench;
}

/** Returns a function that changes the request that begins an update. */
const atBegin =
  (change: (body: Body<'update'>, greeting: Body<'hello'>) => Partial<Body<'update'>>) =>
  (bench: BoardBench) =>
  (request: RequestMessage): RequestMessage =>
    request.name === 'update' && request.body.step === 'begin' && bench.greeting !== undefined
      ? { name: 'update', body: { ...request.body, ...change(request.body, bench.greeting) } }
      : request;

const tagOf = (
  { files, hash }: Body<'update'>,
  { serialNumber, updateNonce: nonce = new Uint8Array() }: Body<'hello'>,
  change: { keyHash?: string; serialNumber?: string } = {},
) => updateTagOf(change.keyHash ?? HASH, { serialNumber, nonce, files, hash, ...change });

const flipped = (tag: Uint8Array | undefined, at: number): Uint8Array => {
  const bytes = Uint8Array.from(tag ?? []);
  const index = at < 0 ? bytes.length + at : at;
  return bytes.with(index, (bytes[index] ?? 0) ^ 1);
};

test('a network board accepts consecutive signed updates, each with a new nonce and tag', async () => {
  const bench = await networkBoard();
  const nonces = [bench.greeting?.updateNonce];
  const tags: (Uint8Array | undefined)[] = [];
  bench.between = (request) => {
    if (request.name === 'update' && request.body.step === 'begin') tags.push(request.body.tag);
    return request;
  };
  const first = newFirmware();
  expect((await updateBoard(bench, first)).answer).toBe('done');
  expect(bench.greeting).toMatchObject({ firmware: 102, software: first.version });
  nonces.push(bench.greeting?.updateNonce);
  const second = newFirmware('core/codec.py', 'FIRMWARE = 101', 'FIRMWARE = 103');
  expect((await updateBoard(bench, second)).answer).toBe('done');
  expect(bench.board?.ask('running')).toBe('b');
  nonces.push(bench.greeting?.updateNonce);
  const differs = (all: (Uint8Array | undefined)[]) =>
    new Set(all.map((each) => Buffer.from(each ?? []).toString('hex')));
  expect(differs(nonces).size).toBe(3);
  for (const nonce of nonces) expect(nonce).toHaveLength(16);
  expect(differs(tags).size).toBeGreaterThanOrEqual(2);
  for (const tag of tags) expect(tag).toHaveLength(32);
  // A new session on the same wire has a new nonce.
  const before = bench.greeting?.updateNonce;
  bench.plug(false);
  bench.run(20_000);
  bench.plug(true);
  bench.run(10_000);
  expect(Buffer.from(bench.greeting?.updateNonce ?? []).equals(before ?? new Uint8Array())).toBe(false);
});

test.each<[string, ReturnType<typeof atBegin>]>([
  ['no tag', atBegin(() => ({ tag: undefined }))],
  ['an empty tag', atBegin(() => ({ tag: new Uint8Array() }))],
  ['a tag without its last byte', atBegin(({ tag }) => ({ tag: tag?.slice(0, -1) }))],
  ['half a tag', atBegin(({ tag }) => ({ tag: tag?.slice(0, 16) }))],
  [
    'a tag with an additional byte',
    atBegin(({ tag }) => ({ tag: Buffer.concat([tag ?? new Uint8Array(), Buffer.of(0)]) })),
  ],
  ['a tag with a changed first byte', atBegin(({ tag }) => ({ tag: flipped(tag, 0) }))],
  ['a tag with a changed last byte', atBegin(({ tag }) => ({ tag: flipped(tag, -1) }))],
  ['a tag with a changed byte', atBegin(({ tag }) => ({ tag: flipped(tag, 13) }))],
  ['a changed hash', atBegin(({ hash }) => ({ hash: flipped(hash, 5) }))],
  ['one file fewer', atBegin(({ files }) => ({ files: files - 1 }))],
  ['256 additional files', atBegin(({ files }) => ({ files: files + 256 }))],
  [
    'the tag of a different board with the same key',
    atBegin((body, hello) => ({ tag: tagOf(body, hello, { serialNumber: 'board-51D000:000077' }) })),
  ],
  [
    'the hash of a different key',
    atBegin((body, hello) => ({
      tag: tagOf(body, hello, { keyHash: createHash('sha256').update(`${KEY}x`).digest('base64') }),
    })),
  ],
  [
    'the nonce of a different session',
    atBegin((body, hello) => ({ tag: tagOf(body, { ...hello, updateNonce: Buffer.alloc(16, 7) }) })),
  ],
  [
    'a block of the sign-in',
    atBegin(({ files, hash }, { serialNumber, updateNonce }) => {
      const count = Buffer.of(files & 255, files >> 8);
      const said = [
        Buffer.of(0, serialNumber.length),
        Buffer.from(serialNumber),
        updateNonce ?? Buffer.alloc(0),
        count,
        hash,
      ];
      return { tag: createHmac('sha256', Buffer.from(HASH, 'base64')).update(Buffer.concat(said)).digest() };
    }),
  ],
])('refuses an update with %s before it erases or writes anything', async (_what, between) => {
  const bench = await networkBoard();
  bench.flash.write('a/core/old.py', Uint8Array.of(1));
  const { steps } = bench.flash;
  bench.between = between(bench);
  expect(await updateBoard(bench, newFirmware())).toEqual({ answer: FORGED, steps: ['connecting', 'writing'] });
  bench.run(1_000);
  expect([bench.flash.steps, [...bench.flash.updates().keys()]]).toEqual([steps, ['a/core/old.py']]);
  // The board keeps working and accepts updates from its station.
  bench.between = (request) => request;
  expect((await updateBoard(bench, newFirmware())).answer).toBe('done');
});

/** Creates an update with these files in place of the signed ones. */
function exchanged(signed: Firmware, brought: ReturnType<typeof filesOf>, isThorough = true) {
  const parts = brought.flatMap(({ path, bytes }) =>
    Array.from({ length: Math.max(1, Math.ceil(bytes.length / 512)) }, (_, index) => {
      const at = index * 512;
      const isLast = at + 512 >= bytes.length;
      return { path, at, data: bytes.subarray(at, at + 512), ...(isLast ? { hash: sha256(bytes) } : {}) };
    }),
  );
  return { parts, hash: hashOfAll(brought), files: brought.length, signed, isThorough };
}

/** Sends a signed begin, then all parts one by one. Returns the distinct answers. */
function bring(bench: BoardBench, { parts, hash, files, signed, isThorough }: ReturnType<typeof exchanged>): string[] {
  const list = filesOf(signed);
  const genuine = { bytes: 200_000, files: list.length, hash: hashOfAll(list) };
  const tag = bench.greeting && tagOf({ ...genuine, step: 'begin' }, bench.greeting);
  const answers = new Set<string>();
  const ask = (request: RequestMessage): string => {
    const { answer } = bench.send(request);
    for (let round = 0; answer() === undefined && round < 100; round += 1) bench.run(10);
    return answer() ?? 'nothing';
  };
  answers.add(ask({ name: 'update', body: { ...genuine, step: 'begin', ...(tag && { tag }) } }));
  for (const body of parts) answers.add(ask({ name: 'updatePart', body }));
  const said = isThorough ? { ...genuine, hash, files } : genuine;
  answers.add(ask({ name: 'update', body: { ...said, step: 'switch' } }));
  return [...answers];
}

const SIGNED = newFirmware();
const LIST = filesOf(SIGNED);
const evil = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.from(LINE), bytes]);

test.each<[string, ReturnType<typeof filesOf>]>([
  [
    'a byte in a file is changed',
    LIST.map((file, at) => (at === 3 ? { ...file, bytes: flipped(file.bytes, -1) } : file)),
  ],
  ['a file is longer', LIST.map((file) => (file.path === 'core/app.py' ? { ...file, bytes: evil(file.bytes) } : file))],
  ['a file has a different name', LIST.map((file, at) => (at === 3 ? { ...file, path: `${file.path}x` } : file))],
  [
    'two files are swapped',
    LIST.map((file, at) => ({ ...file, bytes: (LIST[at === 1 ? 2 : at === 2 ? 1 : at] ?? file).bytes })),
  ],
  ['a file is missing', LIST.filter(({ path }) => path !== 'core/proof.py')],
  ['a file is added', [...LIST, { path: 'core/json.py', bytes: Buffer.from(LINE) }]],
  ['a file arrives twice', [...LIST, { path: 'core/app.py', bytes: Buffer.from(LINE) }]],
  ['no file arrives', []],
])('does not switch if %s after a signed begin, even with matching hashes', async (_what, brought) => {
  for (const isThorough of [true, false]) {
    const bench = await networkBoard();
    expect(bring(bench, exchanged(SIGNED, brought, isThorough)).at(-1)).toBe(isThorough ? 'badSignature' : 'damaged');
    bench.run(2_000);
    expect([bench.board?.isRestarting(), bench.flash.files.has('boot0')]).toEqual([false, false]);
    expect(bench.flash.updates().size).toBe(0);
    await online(bench);
    expect(bench.board?.ask('running')).toBe('');
  }
});

test('switches to a signed update that arrives complete', async () => {
  const bench = await networkBoard();
  expect(bring(bench, exchanged(SIGNED, LIST))).toEqual(['ok']);
  bench.run(1_000);
  expect(bench.board?.isRestarting()).toBe(true);
});

test('does not switch if an unsigned file is next to the signed ones', async () => {
  const bench = await networkBoard();
  bench.flash.written = (name) => {
    if (name === 'a/core/app.py') bench.flash.files.set('a/core/left.py', Buffer.from(LINE));
  };
  expect(bring(bench, exchanged(SIGNED, LIST)).at(-1)).toBe('damaged');
  bench.run(2_000);
  expect([bench.flash.files.has('boot0'), bench.flash.updates().size]).toEqual([false, 0]);
});

test('a recorded update works in no other session and on no other board', async () => {
  const bench = await networkBoard();
  const recorded: RequestMessage[] = [];
  bench.between = (request) => {
    recorded.push(request);
    return request;
  };
  const old = newFirmware();
  expect((await updateBoard(bench, old)).answer).toBe('done');
  bench.between = (request) => request;
  const newer = newFirmware('core/codec.py', 'FIRMWARE = 101', 'FIRMWARE = 103');
  expect((await updateBoard(bench, newer)).answer).toBe('done');
  for (const victim of [bench, await networkBoard('another')]) {
    const running = victim.board?.ask('running');
    const { steps } = victim.flash;
    const answers = recorded.map((request) => {
      const { answer } = victim.send(request);
      victim.run(30);
      return answer();
    });
    expect(new Set(answers)).toEqual(new Set(['badSignature', 'damaged']));
    expect(answers[0]).toBe('badSignature');
    expect(victim.flash.steps).toBe(steps);
    await online(victim);
    expect(victim.board?.ask('running')).toBe(running);
  }
});

test('a part changed in transit is sent again; after five attempts the update fails with both causes', async () => {
  const bench = await networkBoard();
  let changes = 0;
  const changeParts = (most: number) => (request: RequestMessage) => {
    if (request.name !== 'updatePart' || request.body.path !== 'core/app.py' || request.body.at !== 0) return request;
    if (changes === most) return request;
    changes += 1;
    return { name: request.name, body: { ...request.body, data: flipped(request.body.data, 0) } };
  };
  bench.between = changeParts(Infinity);
  expect((await updateBoard(bench, newFirmware())).answer).toMatch(DAMAGED);
  expect(changes).toBe(5);
  expect(bench.board?.ask('running')).toBe('');
  bench.run(2_000);
  expect(bench.flash.updates().size).toBe(0);
  changes = 0;
  bench.between = changeParts(4);
  expect((await updateBoard(bench, newFirmware())).answer).toBe('done');
});

test('a board refuses an unsigned update even if its nonce was removed from its hello', async () => {
  const bench = await networkBoard();
  delete bench.greeting?.updateNonce;
  expect((await updateBoard(bench, newFirmware())).answer).toBe(FORGED);
});

test('a network board without a key refuses every update', async () => {
  const bench = new BoardBench();
  bench.options.config = { transport: 'tcp' };
  await online(bench);
  expect(bench.greeting?.updateNonce).toHaveLength(16);
  // The station cannot sign the update, because the board has no key.
  expect((await updateBoard(bench, newFirmware())).answer).toBe(
    'The board takes only signed updates, and the station can sign one only for a board that signed in with an API key. It runs what it ran before; set it up again.',
  );
  for (const keyHash of [
    '',
    createHash('sha256').update('').digest('base64'),
    createHash('sha256').update('None').digest('base64'),
  ]) {
    const said = { ...bench.greeting } as Body<'hello'>;
    bench.between = atBegin((body) => ({ tag: tagOf(body, said, { keyHash }) }))(bench);
    delete bench.greeting?.updateNonce;
    expect((await updateBoard(bench, newFirmware())).answer).toBe(FORGED);
    await online(bench);
  }
});

test('a board over TLS requires a signature too, and a wired board does not', async () => {
  const encrypted = new BoardBench({ key: KEY });
  encrypted.options.config = { ...encrypted.options.config, ca: 'station.der' };
  await online(encrypted);
  expect(encrypted.greeting).toMatchObject({ secret: KEY });
  encrypted.between = atBegin(({ tag }) => ({ tag: flipped(tag, 0) }))(encrypted);
  expect((await updateBoard(encrypted, newFirmware())).answer).toBe(FORGED);
  encrypted.between = (request) => request;
  expect((await updateBoard(encrypted, newFirmware())).answer).toBe('done');
  const wired = new BoardBench();
  await online(wired);
  expect(wired.greeting).not.toHaveProperty('updateNonce');
  expect((await updateBoard(wired, newFirmware())).answer).toBe('done');
});
