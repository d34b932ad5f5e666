import { fileURLToPath } from 'node:url';
import type { utilityProcess } from 'electron';
import { environmentOfSide, giveWay } from '../server/sideProcesses.ts';
import type { StationPorts } from '../server/station.ts';

/**
 * Starts side processes under Electron, which cannot fork Node (docs/decisions/0013). `fork` starts a utility process. Call when the app is
 * ready.
 */
export function utilitySideProcesses(
  fork: typeof utilityProcess.fork,
  environment: Readonly<Record<string, string | undefined>>,
): StationPorts['startSideProcess'] {
  const env = environmentOfSide(environment);
  return (file, { message, ended }, { memoryMiB } = {}) => {
    const child = fork(fileURLToPath(file), [], {
      env,
      execArgv: memoryMiB === undefined ? [] : [`--js-flags=--max-old-space-size=${memoryMiB}`],
      stdio: ['ignore', 'ignore', 'inherit'],
      serviceName: 'Pickstation backup',
    });
    let isUnwanted = false;
    child.on('message', message);
    child.once('spawn', () => (isUnwanted ? child.kill() : giveWay(child.pid)));
    // After a signal, the exit code is the system's encoding of that signal.
    child.once('exit', (code) => ended(`ended with ${code}`));
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
      send: (said) => child.postMessage(said),
      kill() {
        // A process that is still starting cannot be killed yet, so this is repeated when it has started.
        isUnwanted = true;
        child.kill();
      },
    };
  };
}
