import { texts } from './texts.ts';

/** What did not work, by device. */
export type BulkFailure = { name: string; words: string };

const MOST_SAID = 4;

/** Failures in a few sentences: how many of how many, which first, and how many more. */
export function failureWords(failures: readonly BulkFailure[], all: number): string {
  const said = failures.slice(0, MOST_SAID).map(({ name, words }) => texts.choose.failure(name, words));
  const more = failures.length > MOST_SAID ? [texts.choose.more(failures.length - MOST_SAID)] : [];
  return [texts.choose.someFailed(failures.length, all), ...said, ...more].join(' ');
}

/** Runs calls, a few at a time, until all are done or `isCancelled` says so; answers what failed. */
export async function runAll<T>(
  items: readonly T[],
  run: (item: T) => Promise<void>,
  progress: (done: number) => void,
  isCancelled: () => boolean,
): Promise<{ item: T; error: unknown }[]> {
  const AT_A_TIME = 6;
  const failed: { item: T; error: unknown }[] = [];
  let next = 0;
  let done = 0;
  async function worker(): Promise<void> {
    for (;;) {
      const item = items[next++];
      if (item === undefined || isCancelled()) return;
      try {
        await run(item);
      } catch (error) {
        failed.push({ item, error });
      }
      progress(++done);
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, items.length) }, worker));
  return failed;
}
