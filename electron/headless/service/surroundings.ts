import { spawnSync } from 'node:child_process';
import { homedir, userInfo } from 'node:os';

/** Result of a command. `status` is null if the command could not be started. */
export type Ran = { status: number | null; out: string; err: string };

/** The system into which a service is installed. */
export type Surroundings = {
  platform: NodeJS.Platform;
  /** Id of the user who installs the service. 0 is root, and -1 stands for Windows, which has no such ids. */
  uid: number;
  userName: string;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Folder that exists only if the system was started by systemd. */
  booted: string;
  /** Folder of the system-wide systemd units. */
  systemUnits: string;
  groups: string;
  run(command: string, args: readonly string[]): Ran;
};

export function thisSystem(): Surroundings {
  const { env, platform } = process;
  const uid = process.getuid?.() ?? -1;
  const environment = { ...env };
  // After `su` and `sudo -u` the variable is missing, although the user's service manager is running.
  if (platform === 'linux') environment['XDG_RUNTIME_DIR'] ??= `/run/user/${uid}`;
  return {
    platform,
    uid,
    userName: userInfo().username,
    home: homedir(),
    environment,
    booted: '/run/systemd/system',
    systemUnits: '/etc/systemd/system',
    groups: '/etc/group',
    run(command, args) {
      const { status, stdout, stderr, error } = spawnSync(command, [...args], { encoding: 'utf8', env: environment });
      return { status, out: stdout ?? '', err: (error?.message ?? stderr).trim() };
    },
  };
}
