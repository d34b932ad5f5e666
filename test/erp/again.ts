import { until } from '../shells/until.ts';

/** Repeats a request that the test itself sends until Tryton answers. */
export async function again<T>(work: () => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await until('Tryton to answer', async () => {
    result = await work().then(
      (value) => ({ value }),
      () => undefined,
    );
    return result !== undefined;
  });
  if (result === undefined) throw new Error('until() ended early.');
  return result.value;
}
