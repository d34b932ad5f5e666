import { scrypt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { preferMainThread } from '../../../electron/server/systemPorts.ts';

const tasks = () =>
  readdirSync('/proc/self/task').map((task) => ({
    name: readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim(),
    niceness: getPriority(Number(task)),
  }));

test.skipIf(process.platform !== 'linux')(
  'threads that hash passwords have a lower priority than the thread that receives presses',
  async () => {
    // The threads start with their first task.
    await new Promise<void>((resolve) => scrypt('x', 'y', 16, () => resolve()));
    const before = tasks();
    preferMainThread();
    const others = (all: typeof before) =>
      all.filter(({ name }) => name !== 'libuv-worker').map(({ niceness }) => niceness);
    const pool = tasks().filter(({ name }) => name === 'libuv-worker');
    expect(pool.length).toBeGreaterThan(0);
    expect(pool.every(({ niceness }) => niceness >= 10)).toBe(true);
    expect(new Set(others(tasks()))).toEqual(new Set(others(before)));
  },
);
