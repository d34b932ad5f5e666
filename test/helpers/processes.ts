import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Lists the child processes of a process, on Linux. */
export function childrenOf(pid: number): number[] {
  return listed(`/proc/${pid}/task`).flatMap((task) =>
    contentOf(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** Returns whether a process is running. A zombie is not. */
export function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/\) [ZX] |^$/.test(contentOf(`/proc/${pid}/stat`));
}

export function commandLineOf(pid: number): string {
  return contentOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

export function openFilesOf(pid: number): string[] {
  return listed(`/proc/${pid}/fd`).flatMap((number) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${number}`)];
    } catch {
      return [];
    }
  });
}

// Processes and threads can end while they are inspected.

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
