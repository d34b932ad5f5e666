import { expect, test } from 'vitest';
import { createLane } from '../../../electron/server/scheduling/lane.ts';

test('runs work one at a time, in the order of calls, even after a failure', async () => {
  const lane = createLane();
  const steps: string[] = [];
  const work = (name: string, fails = false) =>
    lane(async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([work('first', true), work('second'), work('third')]);
  expect(steps).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});
