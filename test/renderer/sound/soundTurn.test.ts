import { expect, test } from 'vitest';
import { createSoundTurn } from '../../../renderer/src/sound/soundTurn.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import { fakeBrowser } from './soundSupport.ts';
import { createTimers } from '../live/timers.ts';

function tabs(count: number) {
  const browser = fakeBrowser();
  const timers = createTimers();
  const fraction = seededFraction(7);
  const opened = Array.from({ length: count }, (_, index) => {
    const tab = { canPlay: true };
    const turn = createSoundTurn({
      ...timers.ports,
      channel: browser.channel(),
      id: String(index),
      fraction,
      canPlay: () => tab.canPlay,
    });
    return { tab, turn };
  });
  return { opened, browser, timers, mine: () => opened.map(({ turn }) => turn.isMine()) };
}

test('no tab plays before one takes the turn, and the last tab to take it plays', () => {
  const { opened, browser, mine } = tabs(3);
  expect(mine()).toEqual([false, false, false]);
  opened[1]?.turn.take();
  browser.settle();
  expect(mine()).toEqual([false, true, false]);
  // Any tab can take the turn immediately.
  for (const index of [2, 0, 1]) {
    opened[index]?.turn.take();
    browser.settle();
    expect(mine()).toEqual([0, 1, 2].map((each) => each === index));
  }
});

test('exactly one of several tabs keeps the turn if all take it at the same moment', () => {
  const { opened, browser, mine } = tabs(4);
  for (const { turn } of opened) turn.take();
  browser.settle();
  expect(mine().filter(Boolean)).toHaveLength(1);
});

test('when the playing tab closes, a different tab that can play takes over', () => {
  const { opened, browser, timers, mine } = tabs(4);
  opened[0]?.turn.take();
  browser.settle();
  const [, second] = opened;
  if (second !== undefined) second.tab.canPlay = false;
  opened[0]?.turn.leave();
  for (let step = 0; step < 300; step++) {
    browser.settle();
    timers.advance(1);
  }
  expect(mine().filter(Boolean)).toHaveLength(1);
  expect(mine().slice(0, 2)).toEqual([false, false]);
});

test('a tab plays in a browser without broadcast channels', () => {
  const { ports } = createTimers();
  const turn = createSoundTurn({ ...ports, channel: undefined, id: 'a', fraction: () => 0, canPlay: () => true });
  turn.take();
  expect(turn.isMine()).toBe(true);
  turn.leave();
  expect(turn.isMine()).toBe(false);
});
