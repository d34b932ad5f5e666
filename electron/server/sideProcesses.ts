import { fork } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import type { StartSideProcess } from './ports.ts';

/** Priority (nice value) of side processes, lower than that of the station and of other programs. */
const NICENESS = 10;

/** Environment variables that side processes get: locations of temporary files, libraries and Node's compile cache. */
const PASSED_ON = ['TMPDIR', 'SQLITE_TMPDIR', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE'];

/** Returns a function that starts side processes in plain Node. Other runtimes, such as Electron, have their own functions. */
export function nodeSideProcesses(environment: Readonly<Record<string, string | undefined>>): StartSideProcess {
  const env = environmentOfSide(environment);
  return (file, listener, { memoryMiB } = {}) => {
    const child = fork(file, [], {
      env,
      // Do not pass on the options of this process.
      execArgv: memoryMiB === undefined ? [] : [`--max-old-space-size=${memoryMiB}`],
      // Standard output is reserved for the shell.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      windowsHide: true,
    });
    let hasEnded = false;
    const end = (how: string): void => {
      if (hasEnded) return;
      hasEnded = true;
      listener.ended(how);
    };
    child.on('message', listener.message);
    child.on('error', ({ message }) => end(`failed (${message})`));
    child.once('exit', (code, signal) => end(signal === null ? `ended with ${code}` : `ended by ${signal}`));
    giveWay(child.pid);
    return {
      // Ignore the error: the process may have just ended.
      send: (message) => void child.send(message, () => undefined),
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

export function environmentOfSide(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed = PASSED_ON.map((name) => [name, environment[name]] as const);
  return Object.fromEntries(passed.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** Lowers the priority of a process. Call before the process starts threads. */
export function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.max(NICENESS, getPriority()));
  } catch {
    // Either the process has ended, or the system does not allow this. In that case, all processes have the same priority.
  }
}
