import { beforeEach, expect, test } from 'vitest';
import { createPacedWatchers, DEVICES_PER_FRAME } from '../../../renderer/src/station/live/pacedWatchers.ts';

const ids = Array.from({ length: 2 * DEVICES_PER_FRAME + 20 }, (_, index) => `device ${index}`);

let frames: ((atMs: number) => void)[];
let nowMs: number;
let told: string[];

beforeEach(() => {
  [frames, told, nowMs] = [[], [], 5_000];
});

function frame(lastsMs = 17): void {
  nowMs += lastsMs;
  for (const run of frames.splice(0)) run(nowMs);
}

function watchAll() {
  const watchers = createPacedWatchers((run) => frames.push(run));
  for (const id of ids) watchers.watch(id, () => told.push(id));
  return watchers;
}

test('spreads the notifications of many devices over several frames, each once and in order', () => {
  const watchers = watchAll();
  watchers.notify(ids);
  expect(told).toEqual(ids.slice(0, DEVICES_PER_FRAME));
  frame();
  expect(told).toEqual(ids.slice(0, 2 * DEVICES_PER_FRAME));
  frame();
  expect(told).toEqual(ids);
  frame();
  expect(frames).toEqual([]);
});

test('notifies a device once if it changes again while it waits', () => {
  const watchers = watchAll();
  watchers.notify(ids);
  watchers.notify(ids.slice(DEVICES_PER_FRAME));
  while (frames.length > 0) frame();
  expect(told).toEqual(ids);
});

test('notifies more devices per frame when frames are slow, so that none waits long', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `device ${index}`);
  const watchers = createPacedWatchers((run) => frames.push(run));
  for (const id of many) watchers.watch(id, () => told.push(id));
  watchers.notify(many);
  for (let elapsedMs = 0; elapsedMs < 4_000; elapsedMs += 250) frame(250);
  expect(told.length).toBeGreaterThan(800);
  while (frames.length > 0) frame();
  // After a long pause, the number per frame starts at its usual value again.
  told = [];
  frame(60_000);
  watchers.notify(many);
  frame(60_000);
  expect(told.length).toBe(2 * DEVICES_PER_FRAME);
});

test('notifies single changes immediately, up to the limit of one frame', () => {
  const watchers = watchAll();
  for (const id of ids) watchers.notify([id]);
  expect(told.length).toBe(DEVICES_PER_FRAME);
  expect(frames.length).toBe(1);
  frame();
  expect(told.length).toBe(2 * DEVICES_PER_FRAME);
});

test('does not notify a watcher that stopped while it waited, and schedules no frame for an unknown device', () => {
  const watchers = createPacedWatchers((run) => frames.push(run));
  const ends = ids.map((id) => watchers.watch(id, () => told.push(id)));
  watchers.notify(ids);
  for (const end of ends) end();
  while (frames.length > 0) frame();
  expect(told.length).toBe(DEVICES_PER_FRAME);
  watchers.notify(['unknown']);
  expect(frames).toEqual([]);
});

test('notifies all watchers immediately where there are no animation frames', () => {
  const watchers = createPacedWatchers();
  for (const id of ids) watchers.watch(id, () => told.push(id));
  watchers.notify(ids);
  expect(told).toEqual(ids);
});
