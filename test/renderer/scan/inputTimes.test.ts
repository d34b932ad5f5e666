import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type InputTimes, observeInputs, timeOfEvent } from '../../../renderer/src/kit/inputTimes.ts';

let inputs: InputTimes;

beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(5_000);
  inputs = observeInputs(window);
});

afterEach(() => {
  inputs.stop();
  vi.restoreAllMocks();
});

/** Handles an event that the person caused at this time. */
function happen(name: string, timeStamp: number, given: object = {}): void {
  const event = Object.assign(new Event(name, { bubbles: true }), given);
  Object.defineProperty(event, 'timeStamp', { value: timeStamp });
  document.body.dispatchEvent(event);
}

test.each([
  ['its own time', 4_200, 4_200],
  ['now if it has no time', 0, 5_000],
  ['now if its time is in the future', 5_001, 5_000],
  ['its own time if that counts from 1970', performance.timeOrigin + 4_200, 4_200],
])('an event happened at %s', (_, timeStamp, at) => {
  expect(timeOfEvent({ timeStamp }, window)).toBeCloseTo(at, 0);
});

test('a touch is made when the finger touches the page, not when it is lifted', () => {
  happen('pointerdown', 4_000, { pointerId: 3 });
  happen('pointerdown', 4_100, { pointerId: 4 });
  happen('click', 4_150, { pointerId: 3 });
  expect(inputs.ownInput().madeAt).toBe(4_000);
  happen('click', 4_300, { pointerId: 4 });
  expect(inputs.ownInput().madeAt).toBe(4_100);
});

test('a click without a touch is made when it happens', () => {
  happen('pointerdown', 4_000, { pointerId: 3 });
  happen('click', 4_600);
  expect(inputs.ownInput().madeAt).toBe(4_600);
});

test('a key is pressed once, even if it is held', () => {
  happen('keydown', 4_000, { repeat: false });
  happen('keydown', 4_500, { repeat: true });
  expect(inputs.ownInput().madeAt).toBe(4_000);
});
