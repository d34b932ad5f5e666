import { createHmac } from 'node:crypto';
import type { KeyRing } from '../../db/keyRing.ts';
import type { BaseRepositories } from './types.ts';
import type { KeyedRequestRow } from '../../db/repositories/keyedRequests.ts';
import { type DoneSteps, type StepRecorder, stepName } from '../../db/stepRecorder.ts';
import { storedJson } from '../../db/storedJson.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Log } from '../../ports.ts';
import { callerIdOf } from './callerIds.ts';

/** How long responses are stored. Contract, section 2. */
export const KEYS_REMEMBERED_MS = 24 * 60 * 60 * 1_000;
const FIRST_ANSWER = 200;
const FIRST_REFUSAL = 400;
const FIRST_SERVER_ERROR = 500;

export const DAMAGED_ANSWER =
  'The station stored the answer to this request, but that is damaged. Check what was done, and use another key for the next request.';
const DAMAGED =
  'The station stored how far this request came, but that is damaged. Check what was done, and send the rest with another key.';

/**
 * A request with an idempotency key. `digest` is a hash of the request. If `holdsSecrets` is set, only a keyed digest is stored, so that
 * nobody can guess passwords from it.
 */
type KeyedRequest = { caller: string; key: string; digest: string; holdsSecrets: boolean };

/** A response. `status` is the HTTP status. `text` is JSON without secrets, or null if the response has no body. */
export type KeyedAnswer = { status: number; text: string | null };

/** A request in progress. `kept` resolves to the response to repeat, or to undefined if the response is not stored. */
type Running = { digest: string; kept: Promise<KeyedAnswer | undefined> };

/**
 * Answers requests with an idempotency key. For one day, a repeated request from the same caller has no further effect and gets the first
 * response. Serves HTTP and MQTT.
 */
export function createKeyedRequests(parts: {
  repositories: BaseRepositories;
  reads: BaseRepositories;
  writer: Pick<Writer, 'write' | 'writeSoon'>;
  recorder: StepRecorder;
  keyRing: Pick<KeyRing, 'key'>;
  clock: Clock;
  log: Log;
}) {
  const { repositories, reads, writer, recorder, keyRing, clock, log } = parts;
  const running = new Map<string, Running>();
  const since = (now: number): number => now - KEYS_REMEMBERED_MS;

  /**
   * Stores a response with low priority, because if the process is killed, a repeated request computes the response again from the stored
   * steps.
   */
  function store(request: KeyedRequest, { status, text }: KeyedAnswer): Promise<void> {
    return writer.writeSoon((tx) => {
      const rows = repositories.keyedRequests;
      rows.removeBefore(since(tx.now));
      rows.finish(rows.ensure(request, tx.now, since(tx.now)), { status, answer: text });
    });
  }

  async function forget({ caller, key }: KeyedRequest): Promise<void> {
    await writer
      .write(() => repositories.keyedRequests.remove(caller, key))
      .catch((error: unknown) => log.warn({ err: error }, 'could not remove the key of a refused request'));
  }

  /** Runs the request, and stores the response if the request changed something. */
  async function carryOut(
    request: KeyedRequest,
    { done, actsOutside }: { done: DoneSteps; actsOutside: boolean },
    work: () => Promise<KeyedAnswer>,
  ): Promise<KeyedAnswer> {
    const name = nameOf(request);
    const { promise: kept, resolve } = Promise.withResolvers<KeyedAnswer | undefined>();
    running.set(name, { digest: request.digest, kept });
    let hasChanged = false;
    const drop = (): void => {
      running.delete(name);
      resolve(undefined);
    };
    try {
      const answer = await recorder.record({ ...request, since }, done, work, (changed) => {
        hasChanged = changed;
      });
      // After an internal error, do not store the response, so that a repeated request continues after the finished steps.
      const isKept = hasChanged ? answer.status < FIRST_SERVER_ERROR : actsOutside && answer.status < FIRST_REFUSAL;
      if (!isKept) drop();
      else {
        resolve(answer);
        store(request, answer)
          .catch((error: unknown) => log.warn({ err: error }, 'could not store the answer to a request with a key'))
          .finally(drop);
      }
      return answer;
    } catch (error) {
      const isRefusal = error instanceof StationError && !['storage', 'stopping', 'lost'].includes(error.code);
      if (isRefusal && hasChanged) await forget(request);
      drop();
      throw error;
    }
  }

  /** Returns the finished steps of an interrupted request. */
  function stepsOf(id: number): DoneSteps {
    return new Map(
      reads.keyedRequests.listSteps(id).map(({ step, item, result }) => {
        const stored = storedJson('keyed_steps.result', result) as { result?: unknown } | undefined;
        if (stored === undefined) throw new StationError('conflict', DAMAGED);
        return [stepName(step, item), stored.result];
      }),
    );
  }

  return {
    /**
     * Runs a request, or returns the first response for this key, waiting for it if necessary. Rejects if `work` rejects; a repeated
     * request then runs again. If `actsOutside` is set, a successful response is stored even if no row changed. `isCurrent` is for keys that
     * name one request after another: if it resolves to false for a stored response, the request is a new one. Throws `key_reused`, and
     * `conflict` if the stored response is damaged.
     */
    async answer(
      asked: KeyedRequest,
      { actsOutside, isCurrent }: { actsOutside: boolean; isCurrent?: (first: KeyedAnswer) => Promise<boolean> },
      work: () => Promise<KeyedAnswer>,
    ): Promise<{ answer: KeyedAnswer; isReplayed: boolean }> {
      const digest = asked.holdsSecrets ? hmacOf(keyRing, asked.digest) : asked.digest;
      const request = { ...asked, digest, caller: callerIdOf(reads, asked.caller) };
      const name = nameOf(request);
      const find = (): KeyedRequestRow | undefined =>
        reads.keyedRequests.find(request.caller, request.key, since(clock.now()));
      const stored = isCurrent === undefined || running.has(name) ? undefined : find();
      if (isCurrent !== undefined && stored !== undefined && stored.status !== null) {
        if (!(await isCurrent({ status: stored.status, text: stored.answer }))) await forget(request);
      }
      for (let other = running.get(name); other !== undefined; other = running.get(name)) {
        refuseReuse(request, other.digest);
        // oxlint-disable-next-line no-await-in-loop -- each repetition waits for the previous one
        const answer = await other.kept;
        if (answer !== undefined) return { answer, isReplayed: true };
      }
      const row = find();
      if (row === undefined) {
        return { answer: await carryOut(request, { done: new Map(), actsOutside }, work), isReplayed: false };
      }
      refuseReuse(request, row.digest);
      if (row.status === null)
        return { answer: await carryOut(request, { done: stepsOf(row.id), actsOutside }, work), isReplayed: true };
      const isDamaged = row.answer !== null && storedJson('keyed_requests.answer', row.answer) === undefined;
      if (isDamaged || !(row.status >= FIRST_ANSWER && row.status < FIRST_SERVER_ERROR))
        throw new StationError('conflict', DAMAGED_ANSWER);
      return { answer: { status: row.status, text: row.answer }, isReplayed: true };
    },
  };
}

export type KeyedRequests = ReturnType<typeof createKeyedRequests>;

function hmacOf(keyRing: Pick<KeyRing, 'key'>, digest: string): string {
  return createHmac('sha256', keyRing.key().bytes).update(`pickstation: request ${digest}`).digest('base64url');
}

function nameOf({ caller, key }: KeyedRequest): string {
  return `${caller}\n${key}`;
}

/**
 * Throws `key_reused` if the key belongs to a different request. `digest` is the digest of the first request with this key, or an empty
 * string if unknown.
 */
export function refuseReuse(request: Pick<KeyedRequest, 'key' | 'digest'>, digest: string): void {
  if (digest === '' || digest === request.digest) return;
  throw new StationError(
    'key_reused',
    `The key ${request.key} was used for another request in the last 24 hours. Nothing was done. Use one key for each intended action, and repeat a request with the same content.`,
  );
}
