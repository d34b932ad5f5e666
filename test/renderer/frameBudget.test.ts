import { beforeEach, expect, test } from 'vitest';
import { createFrameBudget, type FrameBudget } from '../../renderer/src/screen/frameBudget.ts';

let nowMs: number;
let frames: ((atMs: number) => void)[];
let drawn: string[];
let draw: FrameBudget;

beforeEach(() => {
  [nowMs, frames, drawn] = [0, [], []];
  draw = createFrameBudget(
    (run) => frames.push(run),
    () => nowMs,
  );
});

const costing = (ms: number, name: string) => () => {
  nowMs += ms;
  drawn.push(name);
};

function frame(): void {
  for (const run of frames.splice(0)) run(nowMs);
}

test('what fits into a frame is drawn at once, and the rest in the next ones', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) draw(costing(3, name));
  expect(drawn).toEqual(['a', 'b']);
  frame();
  expect(drawn).toEqual(['a', 'b', 'c', 'd']);
  frame();
  expect(drawn).toEqual(['a', 'b', 'c', 'd', 'e']);
  frame();
  expect(frames).toEqual([]);
});

test('what takes longer than a frame is drawn all the same, one in each', () => {
  for (const name of ['a', 'b']) draw(costing(40, name));
  expect(drawn).toEqual(['a']);
  frame();
  expect(drawn).toEqual(['a', 'b']);
});

test('what was taken back is not drawn', () => {
  draw(costing(9, 'a'));
  const takeBack = draw(costing(1, 'b'));
  draw(costing(1, 'c'));
  takeBack();
  frame();
  expect(drawn).toEqual(['a', 'c']);
});
