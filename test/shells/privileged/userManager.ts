import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';

const NOBODY = 65_534;
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
const MANAGER = '/usr/lib/systemd/systemd';
const HIERARCHIES = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup'];

/** Returns why systemd cannot be started for a user on this machine, or undefined if it can. */
export function whyNoManager(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  if (!existsSync(MANAGER)) return 'needs systemd';
  const isReadable = spawnSync('setpriv', [...AS_NOBODY, 'test', '-r', import.meta.filename]).status === 0;
  if (!isReadable) return 'needs a repository that every user can read';
  try {
    for (const top of hierarchies()) {
      const probe = mkdtempSync(join(top, 'pickstation-probe-'));
      rmdirSync(probe);
    }
  } catch {
    return 'needs control groups that can be changed';
  }
  return hierarchies().length === 0 ? 'needs control groups' : undefined;
}

export type UserManager = {
  home: string;
  /** Runs a command as this user and within this system. */
  run(command: readonly string[]): { status: number | null; out: string; err: string };
  /** Suspends the manager until the returned function is called. Until then, `run` works, but systemctl does not. */
  freeze(): () => void;
  stop(): Promise<void>;
};

/**
 * Starts a real systemd for an unprivileged user, in a mount namespace that looks as if systemd had started the system. It has only our
 * units. `home` must be an empty folder.
 */
export async function startUserManager(home: string): Promise<UserManager> {
  const runtime = join(home, 'run');
  const units = join(home, 'units');
  for (const folder of [runtime, units, join(home, '.config')]) mkdirSync(folder, { mode: 0o700 });
  for (const name of ['basic', 'default', 'shutdown', 'exit'])
    writeFileSync(join(units, `${name}.target`), '[Unit]\nDefaultDependencies=no\n');
  writeFileSync(
    join(units, 'exit.target'),
    '[Unit]\nDefaultDependencies=no\nRequires=systemd-exit.service\nAfter=systemd-exit.service\n',
  );
  for (const folder of [
    home,
    ...readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name)),
  ])
    chownSync(folder, NOBODY, NOBODY);
  const groups = hierarchies().map((top) => join(top, `pickstation-test-${process.pid}`));
  for (const group of groups) makeGroup(group);
  const env = {
    HOME: home,
    PATH: '/usr/bin:/bin',
    XDG_RUNTIME_DIR: runtime,
    SYSTEMD_UNIT_PATH: `${join(home, '.config', 'systemd', 'user')}:${units}`,
  };
  const user = ['setpriv', ...AS_NOBODY];
  const enter = groups.map((group) => `echo $$ > '${join(group, 'manager', 'cgroup.procs')}'`).join('; ');
  const script = `mount -t tmpfs none /run && mkdir -p /run/systemd/system && { ${enter}; } && exec ${user.join(' ')} ${MANAGER} --user`;
  const manager = spawn('unshare', ['--mount', 'sh', '-c', script], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  manager.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const run: UserManager['run'] = (command) => {
    const all = ['--target', String(manager.pid), '--mount', '--', ...user, ...command];
    const { status, stdout, stderr } = spawnSync('nsenter', all, { env, encoding: 'utf8' });
    return { status, out: stdout, err: stderr };
  };
  const stop = (): Promise<void> => end(manager, groups);
  const freeze = (): (() => void) => {
    manager.kill('SIGSTOP');
    return () => void manager.kill('SIGCONT');
  };
  try {
    await until('the manager of the user', () => {
      if (manager.exitCode !== null) throw new Error(`It ended with ${manager.exitCode}: ${said}`);
      return (
        existsSync(join(runtime, 'systemd', 'private')) && run(['systemctl', '--user', 'show-environment']).status === 0
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { home, run, freeze, stop };
}

/** Lists the cgroup hierarchies in which a manager can create groups. */
function hierarchies(): string[] {
  return HIERARCHIES.filter((top) => existsSync(join(top, 'cgroup.procs')));
}

function makeGroup(group: string): void {
  for (const folder of [group, join(group, 'manager')]) {
    mkdirSync(folder, { recursive: true });
    chownSync(folder, NOBODY, NOBODY);
    for (const file of ['cgroup.procs', 'cgroup.subtree_control', 'cgroup.threads', 'tasks'])
      if (existsSync(join(folder, file))) chownSync(join(folder, file), NOBODY, NOBODY);
  }
}

/** Kills only the manager and the processes in its groups. */
async function end(manager: ChildProcess, groups: readonly string[]): Promise<void> {
  const all = (): number[] => groups.flatMap((group) => below(group)).flatMap((folder) => membersOf(folder));
  await until('the end of the manager', () => {
    for (const pid of all()) killNow(pid);
    return all().length === 0 && (manager.exitCode !== null || manager.signalCode !== null);
  });
  for (const group of groups) for (const folder of below(group).toReversed()) rmdirSync(folder);
}

function below(group: string): string[] {
  if (!existsSync(group)) return [];
  const entries = readdirSync(group, { withFileTypes: true });
  return [group, ...entries.filter((each) => each.isDirectory()).flatMap(({ name }) => below(join(group, name)))];
}

function membersOf(folder: string): number[] {
  return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended in the meantime.
  }
}
