import { expect, test } from 'vitest';
import { lineReporter } from '../../../renderer/src/features/pick/currentLine.ts';

/** A station that answers each request when the test says so. */
function slowStation() {
  const sent: (number | null | undefined)[] = [];
  const answers: ((isRight: boolean) => void)[] = [];
  const setCurrentLine = ({ body }: { body: { item_id?: number | null | undefined } }): Promise<undefined> => {
    sent.push(body.item_id);
    return new Promise((resolve, reject) =>
      answers.push((isRight) => (isRight ? resolve(undefined) : reject(new Error('The line was pressed.')))),
    );
  };
  const answer = async (isRight = true): Promise<void> => {
    answers.shift()?.(isRight);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { api: { setCurrentLine }, sent, answer };
}

test('sends the next line only after the previous request is answered, and skips lines in between', async () => {
  const { api, sent, answer } = slowStation();
  const report = lineReporter(api);
  report(null);
  report(1);
  report(2);
  expect(sent).toEqual([null]);
  await answer();
  expect(sent).toEqual([null, 2]);
  await answer();
  report(3);
  expect(sent).toEqual([null, 2, 3]);
});

test('continues after a refused request, also for the next order of the same page', async () => {
  const { api, sent, answer } = slowStation();
  lineReporter(api)(1);
  lineReporter(api)(null);
  await answer(false);
  expect(sent).toEqual([1, null]);
});
