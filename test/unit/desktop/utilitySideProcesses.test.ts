import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { utilitySideProcesses } from '../../../electron/main/sideProcesses.ts';

type Fork = Parameters<typeof utilitySideProcesses>[0];

/** Like Electron's: before it is spawned, it has no pid and cannot be killed. */
class FakeUtility extends EventEmitter {
  pid: number | undefined;
  isKilled = false;
  postMessage = (): void => undefined;
  kill = (): boolean => (this.isKilled = this.pid !== undefined);
}

test('a process killed while Electron still starts it ends as soon as it has started', () => {
  const utility = new FakeUtility();
  // Safe: it has every member that is used.
  const fork = (() => utility) as unknown as Fork;
  const side = utilitySideProcesses(fork, {})(new URL('file:///program.js'), {
    message: () => undefined,
    ended: () => undefined,
  });
  side.kill();
  expect(utility.isKilled).toBe(false);
  // A pid that no process has.
  utility.pid = 2 ** 31 - 1;
  utility.emit('spawn');
  expect(utility.isKilled).toBe(true);
});
