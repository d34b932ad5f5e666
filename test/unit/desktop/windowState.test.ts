import { expect, test } from 'vitest';
import { ontoScreen, type Box } from '../../../electron/main/windowState.ts';

const MAIN: Box = { x: 0, y: 25, width: 1_920, height: 1_055 };
const LEFT: Box = { x: -1_280, y: 0, width: 1_280, height: 1_024 };
const MIDDLE: Box = { x: 280, y: 123, width: 1_360, height: 860 };

test.each<[string, Box | undefined, Box]>([
  ['no position is stored', undefined, MIDDLE],
  ['its position is on a screen', { x: 40, y: 60, width: 900, height: 700 }, { x: 40, y: 60, width: 900, height: 700 }],
  [
    'its position is on the other screen',
    { x: -900, y: 9, width: 800, height: 600 },
    { x: -900, y: 9, width: 800, height: 600 },
  ],
  ['its screen is gone', { x: 4_000, y: 60, width: 900, height: 700 }, MIDDLE],
  [
    'it extends beyond the edge',
    { x: 1_500, y: 900, width: 900, height: 700 },
    { x: 1_020, y: 380, width: 900, height: 700 },
  ],
  [
    'its title bar is above the screen',
    { x: 40, y: -300, width: 900, height: 700 },
    { x: 40, y: 25, width: 900, height: 700 },
  ],
  ['it is larger than the screen', { x: -5, y: -5, width: 9_000, height: 9_000 }, MAIN],
  ['it is a sliver', { x: 40, y: 60, width: 1, height: 1 }, { x: 40, y: 60, width: 480, height: 400 }],
  ['it has no area', { x: 40, y: 60, width: 0, height: -7 }, MIDDLE],
])('if %s, the window is completely on a screen', (_what, kept, expected) => {
  expect(ontoScreen(kept, [MAIN, LEFT])).toEqual(expected);
});

test('makes the window smaller on a smaller screen', () => {
  expect(ontoScreen(undefined, [{ x: 0, y: 0, width: 1_024, height: 600 }])).toEqual({
    x: 0,
    y: 0,
    width: 1_024,
    height: 600,
  });
});

test('a window has its default size if no screen is found', () => {
  expect(ontoScreen(undefined, [])).toEqual({ x: 0, y: 0, width: 1_360, height: 860 });
});
