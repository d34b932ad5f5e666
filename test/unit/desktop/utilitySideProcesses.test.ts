import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { utilitySideProcesses } from '../../../electron/main/sideProcesses.ts';

type Fork = Parameters<typeof utilitySideProcesses>[0];

/** Imitates Electron's utility process, which has no pid and cannot be killed before it is spawned. */
class FakeUtility extends EventEmitter {
  pid: number | undefined;
  isKilled = false;
  postMessage = (): void => undefined;
  kill = (): boolean => (this.isKilled = this.pid !== undefined);
}

test('a process that is killed while Electron is still starting it ends as soon as it has started', () => {
  const utility = new FakeUtility();
  // Safe: FakeUtility has every member that the code under test uses.
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
