import { fork } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import type { StartSideProcess } from './ports.ts';

/** Below whoever takes presses, and below other programs. */
const NICENESS = 10;

/** All that a side process gets of the environment: where temporary files, libraries, and what Node made of the sources are. */
const PASSED_ON = ['TMPDIR', 'SQLITE_TMPDIR', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE'];

/** Side processes of plain Node. Another kind of program brings its own. */
export function nodeSideProcesses(environment: Readonly<Record<string, string | undefined>>): StartSideProcess {
  const env = environmentOfSide(environment);
  return (file, heard) => {
    const child = fork(file, [], {
      env,
      // Options of this process are not its.
      execArgv: [],
      // Standard output belongs to the shell's own sentences.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      windowsHide: true,
    });
    let hasEnded = false;
    const end = (how: string): void => {
      if (hasEnded) return;
      hasEnded = true;
      heard.ended(how);
    };
    child.on('message', heard.message);
    child.on('error', ({ message }) => end(`failed (${message})`));
    child.once('exit', (code, signal) => end(signal === null ? `ended with ${code}` : `ended by ${signal}`));
    giveWay(child.pid);
    return {
      // Whoever speaks to one that has just ended hears that.
      send: (message) => void child.send(message, () => undefined),
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

export function environmentOfSide(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed = PASSED_ON.map((name) => [name, environment[name]] as const);
  return Object.fromEntries(passed.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** Lets a process wait for the others, from its first moment on, with all threads that it starts. */
export function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.max(NICENESS, getPriority()));
  } catch {
    // It has ended, or the system does not allow it: then all are alike.
  }
}
