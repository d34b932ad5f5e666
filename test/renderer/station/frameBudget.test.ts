import { beforeEach, expect, test } from 'vitest';
import { createFrameBudget, type FrameBudget } from '../../../renderer/src/shop/screen/frameBudget.ts';

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

test('immediately draws as many items as fit into one frame, and the rest in the following frames', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) draw(costing(3, name));
  expect(drawn).toEqual(['a', 'b']);
  frame();
  expect(drawn).toEqual(['a', 'b', 'c', 'd']);
  frame();
  expect(drawn).toEqual(['a', 'b', 'c', 'd', 'e']);
  frame();
  expect(frames).toEqual([]);
});

test('draws one item per frame if each takes longer than a frame', () => {
  for (const name of ['a', 'b']) draw(costing(40, name));
  expect(drawn).toEqual(['a']);
  frame();
  expect(drawn).toEqual(['a', 'b']);
});

test('does not draw an item that was withdrawn', () => {
  draw(costing(9, 'a'));
  const takeBack = draw(costing(1, 'b'));
  draw(costing(1, 'c'));
  takeBack();
  frame();
  expect(drawn).toEqual(['a', 'c']);
});
