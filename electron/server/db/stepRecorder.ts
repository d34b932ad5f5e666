import { AsyncLocalStorage } from 'node:async_hooks';
import { jsonWithoutSecrets } from '../domain/station/hiddenSecrets.ts';
import type { keyedRequestRows } from './repositories/keyedRequests.ts';
import type { Transaction, UseCase, Writer } from './transaction.ts';

/** A request with an idempotency key. `since` returns a cutoff time: older requests with this key have expired. */
export type RecordedRequest = { caller: string; key: string; digest: string; since: (now: number) => number };

/** Results of the finished use-cases of an interrupted request. The keys are those of `stepName`. */
export type DoneSteps = ReadonlyMap<string, unknown>;

type Recording = {
  request: RecordedRequest;
  done: DoneSteps;
  steps: number;
  hasChanged: boolean;
  isOver: boolean;
};

/** Returns a key of `DoneSteps`. */
export const stepName = (step: number, item: number): string => `${step}.${item}`;

/**
 * Stores the result of each use-case of a recorded request in its own commit. If the station is killed before it answers, a repetition
 * returns these results instead of running the use-cases again, and continues after them. `writeSoon` is not recorded, because no
 * answer depends on it.
 *
 * Rules for services that use the writer several times in one request:
 * - A repetition finds results by position: it has to make the same calls, and pass the same items in the same order to `writeEach`. If a
 *   call depends on data that the request changes, take the data from the result of an earlier use-case instead of reading it again.
 * - A check that the request itself invalidates (it exists already, it was undone) belongs in the first use-case that changes rows, which a
 *   repetition skips. Outside, the check would refuse the repetition.
 * - Use-cases return what later code needs, instead of assigning outer variables: a skipped use-case assigns nothing. Results have to
 *   survive JSON.
 */
export function createStepRecorder(plain: Writer, rows: ReturnType<typeof keyedRequestRows>) {
  const recordings = new AsyncLocalStorage<Recording>();

  function current(): Recording | undefined {
    const recording = recordings.getStore();
    return recording === undefined || recording.isOver ? undefined : recording;
  }

  /** Runs a use-case, and stores its result if it changed rows. */
  function recorded<T>(recording: Recording, step: number, item: number, useCase: UseCase<T>): UseCase<T> {
    const { request } = recording;
    return (tx: Transaction) => {
      const before = rows.countChanges();
      const result = useCase(tx);
      if (rows.countChanges() === before) return result;
      const id = rows.ensure(request, tx.now, request.since(tx.now));
      rows.addStep(id, step, item, jsonWithoutSecrets({ result }));
      tx.afterCommit(() => {
        recording.hasChanged = true;
      });
      return result;
    };
  }

  /** Runs one use-case outside the async context of the request, because the commit can include other requests. */
  function writeOne<T>(write: Writer['write'], useCase: UseCase<T>): Promise<T> {
    const recording = current();
    if (recording === undefined) return write(useCase);
    const step = recording.steps++;
    const name = stepName(step, 0);
    // Safe cast: the same use-case stored the result.
    if (recording.done.has(name)) return Promise.resolve(recording.done.get(name) as T);
    return recordings.exit(() => write(recorded(recording, step, 0, useCase)));
  }

  async function writeRest<E, T>(
    recording: Recording,
    items: readonly E[],
    useCase: (tx: Transaction, item: E) => T,
    failed: (error: unknown, item: E) => T,
  ): Promise<T[]> {
    const step = recording.steps++;
    const isDone = (at: number): boolean => recording.done.has(stepName(step, at));
    const rest = items.map((item, at) => ({ item, at })).filter(({ at }) => !isDone(at));
    const written = await recordings.exit(() =>
      plain.writeEach(
        rest,
        (tx, { item, at }) => recorded(recording, step, at, () => useCase(tx, item))(tx),
        (error, { item }) => failed(error, item),
      ),
    );
    const results = written.values();
    return items.map((_, at) => (isDone(at) ? recording.done.get(stepName(step, at)) : results.next().value) as T);
  }

  const writer: Writer = {
    ...plain,
    write: (useCase) => writeOne(plain.write, useCase),
    writeLarge: (useCase) => writeOne(plain.writeLarge, useCase),
    writeSoon: (useCase) =>
      recordings.getStore() === undefined ? plain.writeSoon(useCase) : recordings.exit(() => plain.writeSoon(useCase)),
    writeEach(items, useCase, failed) {
      const recording = current();
      return recording === undefined
        ? plain.writeEach(items, useCase, failed)
        : writeRest(recording, items, useCase, failed);
    },
  };

  return {
    writer,
    /** Handles a request, then calls `ended`, even if the request failed. */
    async record<T>(
      request: RecordedRequest,
      done: DoneSteps,
      work: () => Promise<T>,
      ended: (hasChanged: boolean) => void,
    ): Promise<T> {
      const recording: Recording = { request, done, steps: 0, hasChanged: done.size > 0, isOver: false };
      try {
        return await recordings.run(recording, work);
      } finally {
        recording.isOver = true;
        ended(recording.hasChanged);
      }
    },
  };
}

export type StepRecorder = ReturnType<typeof createStepRecorder>;
