import type { BoardUpdater, Clock, Firmware, FirmwareFile, Timer, UpdateWatch } from '../../ports.ts';
import type { Greeting, TurboConnection } from '../types.ts';
import type { Outgoing } from '../frames/protocol/exchange.ts';
import { BUSY_RETRY_MS, type AckStatus, type RequestMessage } from '../frames/protocol/messages.ts';
import { flashBytes, hashOfAll, isReplaced, sha256 } from './firmware.ts';

/** Number of file bytes per frame. A board that reads its USB port byte by byte checks its buttons between frames. */
const PART_BYTES = 512;
/** Maximum number of transfers. Each lost connection or damaged file requires one more. */
const ATTEMPTS = 5;
const LOOK_MS = 250;
/** Time limit for a disconnected board to reconnect. */
const BACK_MS = 120_000;
/**
 * Time limit for a new version to start. The board tries it at most three times, for one minute each, and then sends its hello with the old
 * version.
 */
const TRIAL_MS = 300_000;

type UpdateAnswer = AckStatus | 'lost' | 'cancelled';
type BoardLine = Pick<TurboConnection, 'state' | 'transport' | 'turbo' | 'send' | 'withdraw'>;
type BoardParts = { connectionOf: (serialNumber: string) => BoardLine | undefined; clock: Clock };

/** Updates boards over their connections, without the MicroPython prompt. See docs/decisions/0058. */
export function createBoardUpdater(parts: BoardParts): BoardUpdater {
  const { connectionOf, clock } = parts;
  return {
    async update(serialNumber, firmware, watch) {
      const files = firmware.files.filter(({ path }) => isReplaced(path));
      for (let attempt = 1; ; attempt += 1) {
        watch.step('connecting', 0);
        const connection = await waitFor(clock, BACK_MS, watch.signal, () => connectionOf(serialNumber));
        if (watch.signal.aborted) throw new Error('Cancelled. The board runs what it ran before.');
        if (connection === undefined) throw new Error('The board is offline. It runs what it ran before.');
        // The board has already switched to the new version, and only its answer was lost.
        if (connection.turbo?.software === firmware.version) return;
        const before = connection.turbo;
        const answer = await transfer(clock, connection, files, watch);
        if (answer === 'ok') return waitForStart(parts, serialNumber, firmware, before, watch);
        const problem = problemOf(answer);
        if (problem !== undefined) throw new Error(problem);
        if (attempt === ATTEMPTS) {
          throw new Error(
            answer === 'lost'
              ? `The connection of the board was lost ${ATTEMPTS} times. It runs what it ran before.`
              : 'Files arrived damaged in the flash of the board. It may be worn out, or somebody on the way changes them; the board runs what it ran before.',
          );
        }
      }
    },
  };
}

/** Sends the files to the board. Returns `ok` if the board restarts with them. */
async function transfer(
  clock: Clock,
  connection: BoardLine,
  files: readonly FirmwareFile[],
  watch: UpdateWatch,
): Promise<UpdateAnswer> {
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const hash = hashOfAll(files);
  const frame = { bytes: flashBytes(files), files: files.length, hash };
  const tag = tagFor(connection, frame);
  let done = 0;
  const send = async (request: RequestMessage): Promise<UpdateAnswer> => {
    for (;;) {
      const answer = await ask(clock, connection, request, watch.signal);
      if (answer === 'cancelled') await ask(clock, connection, { name: 'update', body: { ...frame, step: 'cancel' } });
      watch.step(answer === 'busy' ? 'in_use' : 'writing', done / total);
      if (answer !== 'busy') return answer;
      await waitFor(clock, BUSY_RETRY_MS, watch.signal, () => undefined);
    }
  };
  let answer = await send({ name: 'update', body: { ...frame, step: 'begin', ...tag } });
  for (const { path, bytes } of files) {
    const digest = sha256(bytes);
    for (let at = 0; answer === 'ok' && (at < bytes.length || at === 0); at += PART_BYTES) {
      const data = bytes.subarray(at, at + PART_BYTES);
      const isLast = at + PART_BYTES >= bytes.length;
      answer = await send({ name: 'updatePart', body: { path, at, data, hash: isLast ? digest : undefined } });
      done += data.length;
    }
  }
  if (answer !== 'ok') return answer;
  return send({ name: 'update', body: { ...frame, step: 'switch' } });
}

/** Waits for the board's hello after its restart. Throws if the board does not come online with the new version. */
async function waitForStart(
  { connectionOf, clock }: BoardParts,
  serialNumber: string,
  { version }: Firmware,
  before: Greeting | undefined,
  { step, signal }: UpdateWatch,
): Promise<void> {
  step('restarting', 1);
  const after = await waitFor(clock, TRIAL_MS, signal, () => {
    const connection = connectionOf(serialNumber);
    if (connection === undefined) step('waiting', 0);
    // Compare the boot ids, because the board may reconnect before it restarts.
    return connection?.turbo?.bootId === before?.bootId ? undefined : connection?.turbo;
  });
  if (after?.software === version) return;
  if (signal.aborted) throw new Error('Cancelled. The board has the new firmware, and may still start it.');
  if (after !== undefined) {
    throw new Error(
      `The new firmware (${version}) did not come online, and the board went back. It runs ${after.software ?? 'firmware'} again.`,
    );
  }
  throw new Error(
    'The board did not connect after the update. It goes back to its old firmware by itself; unplug it and plug it in again.',
  );
}

/** Calls `look` repeatedly until it returns a value. Returns undefined after `limitMs` or if canceled. */
function waitFor<Found>(
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
  look: () => Found | undefined,
): Promise<Found | undefined> {
  const endMs = clock.monotonic() + limitMs;
  return new Promise((resolve) => {
    let timer: Timer | undefined;
    const end = (found: Found | undefined): void => {
      timer?.cancel();
      signal.removeEventListener('abort', stop);
      resolve(found);
    };
    const stop = (): void => end(undefined);
    const turn = (): void => {
      const found = look();
      if (found !== undefined || clock.monotonic() >= endMs || signal.aborted) return end(found);
      timer = clock.setTimer(LOOK_MS, turn);
    };
    signal.addEventListener('abort', stop);
    turn();
  });
}

/** Sends one request and returns the answer, or `lost` if the session ended before the answer arrived. */
function ask(
  clock: Clock,
  connection: BoardLine,
  request: RequestMessage,
  signal?: AbortSignal,
): Promise<UpdateAnswer> {
  const greeting = connection.turbo;
  return new Promise((resolve) => {
    let timer: Timer | undefined;
    const end = (answer: UpdateAnswer): void => {
      timer?.cancel();
      signal?.removeEventListener('abort', cancel);
      resolve(answer);
    };
    const outgoing: Outgoing = {
      request: () => request,
      replied: (reply) => end(reply.name === 'ack' ? reply.body.status : 'unsupported'),
    };
    const cancel = (): void => {
      connection.withdraw(outgoing);
      end('cancelled');
    };
    const look = (): void => {
      // Compare the greetings, because each session has its own.
      if (connection.state !== 'online' || connection.turbo !== greeting) return end('lost');
      timer = clock.setTimer(LOOK_MS, look);
    };
    if (signal?.aborted === true) return end('cancelled');
    signal?.addEventListener('abort', cancel);
    connection.send(outgoing, 'usual');
    look();
  });
}

/** Returns the signature if the board requested one in its hello. Throws if the station has no key to sign with. */
function tagFor(
  { turbo, transport: { admission } }: BoardLine,
  { files, hash }: { files: number; hash: Uint8Array },
): { tag?: Uint8Array } {
  if (turbo?.updateNonce === undefined) return {};
  const { serialNumber, updateNonce: nonce } = turbo;
  const tag = admission?.signUpdate({ serialNumber, nonce, files, hash });
  if (tag !== undefined) return { tag };
  throw new Error(
    'The board takes only signed updates, and the station can sign one only for a board that signed in with an API key. It runs what it ran before; set it up again.',
  );
}

/** Returns the message for an answer that makes further retries pointless, or undefined if a retry may succeed. */
function problemOf(answer: UpdateAnswer): string | undefined {
  switch (answer) {
    case 'lost':
    case 'damaged':
      return undefined;
    case 'cancelled':
      return 'Cancelled. The board runs what it ran before.';
    case 'flashFull':
      return 'The flash of the board is full. It runs what it ran before; remove other programs from it.';
    case 'badSignature':
      return 'The board refuses the update, because its signature is wrong: somebody between the station and the board may have changed it. It runs what it ran before.';
    default:
      return `The board refuses the update (${answer}). It runs what it ran before.`;
  }
}
