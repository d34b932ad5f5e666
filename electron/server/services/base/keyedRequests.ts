import { createHmac } from 'node:crypto';
import type { KeyRing } from '../../db/keyRing.ts';
import type { Repositories } from '../../db/repositories.ts';
import { type DoneSteps, type StepRecorder, stepName } from '../../db/stepRecorder.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Log } from '../../ports.ts';

/** How long a repetition gets the first answer. Contract, section 2. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;
const FIRST_REFUSAL = 400;
const FIRST_SERVER_ERROR = 500;

/**
 * `digest`: of everything that makes another request of it. `holdsSecrets`: the digest is not stored as such, since nobody may try
 * passwords against it.
 */
type KeyedRequest = { caller: string; key: string; digest: string; holdsSecrets: boolean };

/** `status`: of HTTP. `text`: JSON without secrets; null: the answer has no body. */
export type KeyedAnswer = { status: number; text: string | null };

/** `kept`: the answer; undefined: it was not kept, and nothing is known of this request any more. */
type Running = { digest: string; kept: Promise<KeyedAnswer | undefined> };

/**
 * Answers requests that their callers may repeat: within a day, the same key of the same caller changes nothing more and gets the
 * first answer. The only place that knows keys, for HTTP and MQTT alike.
 */
export function createKeyedRequests(parts: {
  repositories: Pick<Repositories, 'keyedRequests'>;
  reads: Pick<Repositories, 'keyedRequests'>;
  writer: Pick<Writer, 'write' | 'writeSoon'>;
  recorder: StepRecorder;
  keyRing: Pick<KeyRing, 'key'>;
  clock: Clock;
  log: Log;
}) {
  const { repositories, reads, writer, recorder, keyRing, clock, log } = parts;
  const running = new Map<string, Running>();
  const since = (now: number): number => now - REMEMBERED_MS;

  /** Joins the next commit. The steps are on disk already: after a kill, a repetition gets the answer from them. */
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
      .catch((error: unknown) => log.warn({ err: error }, 'a refused request with a key was not forgotten'));
  }

  /** Carries out the request, and keeps its answer if it changed something. */
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
      // What was done before a failure of the station stays done: a repetition continues behind it.
      const isKept = hasChanged ? answer.status < FIRST_SERVER_ERROR : actsOutside && answer.status < FIRST_REFUSAL;
      if (!isKept) drop();
      else {
        resolve(answer);
        store(request, answer)
          .catch((error: unknown) => log.warn({ err: error }, 'the answer to a request with a key was not kept'))
          .finally(drop);
      }
      return answer;
    } catch (error) {
      const isRefusal = error instanceof StationError && error.code !== 'storage' && error.code !== 'stopping';
      if (isRefusal && hasChanged) await forget(request);
      drop();
      throw error;
    }
  }

  /** The steps of a request that a stop cut off. */
  function stepsOf(id: number): DoneSteps {
    return new Map(
      reads.keyedRequests.listSteps(id).map(({ step, item, result }) => {
        // Only the recorder writes it.
        const { result: value } = JSON.parse(result) as { result?: unknown };
        return [stepName(step, item), value];
      }),
    );
  }

  return {
    /**
     * Answers a request: carries it out, or returns the first answer to this key, for which it waits if necessary. Rejects as
     * `work` does; such a request is evaluated again. `actsOutside`: it may act without changing rows. Throws `key_reused`.
     */
    async answer(
      asked: KeyedRequest,
      { actsOutside }: { actsOutside: boolean },
      work: () => Promise<KeyedAnswer>,
    ): Promise<{ answer: KeyedAnswer; isReplayed: boolean }> {
      const request = asked.holdsSecrets ? { ...asked, digest: hmacOf(keyRing, asked.digest) } : asked;
      const name = nameOf(request);
      for (let other = running.get(name); other !== undefined; other = running.get(name)) {
        refuseReuse(request, other.digest);
        // oxlint-disable-next-line no-await-in-loop -- each one waits for the one before
        const answer = await other.kept;
        if (answer !== undefined) return { answer, isReplayed: true };
      }
      const row = reads.keyedRequests.find(request.caller, request.key, since(clock.now()));
      if (row === undefined) {
        return { answer: await carryOut(request, { done: new Map(), actsOutside }, work), isReplayed: false };
      }
      refuseReuse(request, row.digest);
      if (row.status === null)
        return { answer: await carryOut(request, { done: stepsOf(row.id), actsOutside }, work), isReplayed: true };
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

/** `digest`: of the request that used the key first; empty: not known. */
function refuseReuse(request: KeyedRequest, digest: string): void {
  if (digest === '' || digest === request.digest) return;
  throw new StationError(
    'key_reused',
    `The key ${request.key} was used for another request in the last 24 hours, and nothing was done now. Use a new key for each request, and repeat a request unchanged.`,
  );
}
