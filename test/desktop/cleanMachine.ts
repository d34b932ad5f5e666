import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../shells/until.ts';

const USER = 'shop';
const UID = 1000;

/** A running program: its output so far, and its exit code once it has ended. */
export type Told = { said(): string; ended: Promise<number | null>; end(): Promise<number | null> };

/**
 * A second machine inside this one. It is a Debian with its own files, processes and mounts, but with this machine's
 * network and display. It runs in a chroot, so users cannot create user namespaces, as on many systems.
 */
export type CleanMachine = {
  root: string;
  /** The user's home, as a path outside the chroot. */
  home: string;
  /** Runs a program as root. Resolves to the output of both streams; rejects with this output if the program fails. */
  run(program: string, ...args: string[]): Promise<string>;
  /** Starts a program as an ordinary user. */
  startAsUser(command: string[], env: Record<string, string>): Told;
  /** Ends all processes of the machine. */
  stop(): Promise<void>;
};

/** Installs Debian in `root` with these packages (names or .deb files) and all their dependencies. */
export async function installDebian(root: string, packages: string[]): Promise<void> {
  const [, suite = ''] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  const mounts = '--hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount';
  const args = ['--quiet', '--variant=minbase', mounts, `--include=${packages.join(',')}`, suite, root];
  await promisify(execFile)('mmdebstrap', args, { maxBuffer: 2 ** 26 });
}

export async function startMachine(root: string): Promise<CleanMachine> {
  const script = [
    'set -e',
    `mount --rbind /dev ${root}/dev`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /sys ${root}/sys`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `exec chroot ${root} sleep infinity`,
  ];
  const flags = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
  const machine = spawn('unshare', [...flags, 'sh', '-c', script.join('\n')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => machine.once('exit', () => resolve()));
  let first = '';
  await until('the machine to run', () => {
    first = firstProcess(machine);
    return first !== '';
  });
  const enter = ['--target', first, '--mount', '--pid', '--root'];

  async function run(program: string, ...args: string[]): Promise<string> {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' };
    const command = ['/usr/bin/env', '-i', '--chdir=/', ...asList(env), program, ...args];
    const { stdout, stderr } = await promisify(execFile)('nsenter', [...enter, ...command], { maxBuffer: 2 ** 26 });
    return stdout + stderr;
  }

  await run('useradd', '--create-home', `--uid=${UID}`, USER);
  const home = join(root, 'home', USER);
  const { DISPLAY = '', XAUTHORITY } = process.env;
  if (XAUTHORITY !== undefined) {
    copyFileSync(XAUTHORITY, join(home, '.Xauthority'));
    chownSync(join(home, '.Xauthority'), UID, UID);
  }

  function startAsUser(command: string[], env: Record<string, string>): Told {
    const all = { PATH: '/usr/bin:/bin', HOME: `/home/${USER}`, USER, LC_ALL: 'C.UTF-8', DISPLAY, ...env };
    const asUser = ['setpriv', `--reuid=${UID}`, `--regid=${UID}`, '--init-groups', 'env', '-i', ...asList(all)];
    // nsenter does not forward signals, so print the process id to kill.
    const shell = ['sh', '-c', 'cd; echo "process $$"; exec "$@"', 'sh', ...command];
    const child = spawn('nsenter', [...enter, ...asUser, ...shell], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    const end = async (): Promise<number | null> => {
      const [, pid = ''] = /^process (\d+)$/m.exec(said) ?? [];
      await run('kill', '-TERM', pid);
      return ended;
    };
    return { said: () => said, ended, end };
  }

  const stop = async (): Promise<void> => {
    machine.kill('SIGKILL');
    await gone;
  };
  return { root, home, run, startAsUser, stop };
}

/** Returns the id of the first process inside the machine, once that process has changed its root; empty until then. */
function firstProcess(machine: ChildProcess): string {
  try {
    const [pid = ''] = readFileSync(`/proc/${machine.pid}/task/${machine.pid}/children`, 'utf8').split(' ');
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n' ? pid : '';
  } catch {
    return '';
  }
}

/** Copies a file into the user's home. */
export function giveToUser(machine: CleanMachine, from: string, path: string): void {
  const parts = path.split('/');
  parts.slice(0, -1).forEach((_, place) => {
    const folder = join(machine.home, ...parts.slice(0, place + 1));
    mkdirSync(folder, { recursive: true });
    chownSync(folder, UID, UID);
  });
  copyFileSync(from, join(machine.home, path));
  chownSync(join(machine.home, path), UID, UID);
}

/** Returns the number of visible windows with this name. */
export function visibleWindows(name: string): number {
  try {
    return execFileSync('xdotool', ['search', '--onlyvisible', '--name', name], { encoding: 'utf8' }).trim().split('\n')
      .length;
  } catch {
    return 0;
  }
}

function asList(env: Record<string, string>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}
