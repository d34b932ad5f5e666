import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StationError } from '../../server/errors.ts';
import type { ServiceKind, ServiceStart } from './plan.ts';
import { fill, systemdArgument, systemdCommand, systemdWord } from './quoting.ts';
import type { Surroundings } from './surroundings.ts';

const NAME = 'pickstation-station';
/** Groups that may use serial ports. Their name depends on the distribution. */
const SERIAL_GROUPS = ['dialout', 'uucp'];
const STATE_FOLDER = 'pickstation';
const FIRST_FREE_PORT = 1_024;
const OTHERS_ENTER = 0o001;

/** Returns a service for the user who installs it, or a system service if that user is root. */
export function systemdService(start: ServiceStart, system: Surroundings, isDefaultFolder: boolean): ServiceKind {
  return system.uid === 0 ? ofSystem(start, system, isDefaultFolder) : ofUser(start, system);
}

function ofUser(start: ServiceStart, system: Surroundings): ServiceKind {
  const { home, environment } = system;
  const given = environment['XDG_CONFIG_HOME'] ?? '';
  const config = given === '' ? join(home, '.config') : given;
  const command = systemdCommand([...start.command, '--data', start.dataFolder]);
  return {
    ...common(system, ['--user']),
    file: join(config, 'systemd', 'user', `${NAME}.service`),
    text: fill(readTemplate(start.root, `${NAME}.user.service`), { command }),
    dataFolder: start.dataFolder,
    isOfData: (installed) => installed.includes(systemdArgument(start.dataFolder)),
    enable() {
      enable(system, ['--user']);
      const { status, err } = system.run('loginctl', ['enable-linger']);
      return [
        status === 0
          ? 'It starts with the machine, without a sign-in (loginctl enable-linger).'
          : `It starts when ${system.userName} signs in. To start it with the machine: sudo loginctl enable-linger ${system.userName} (${err}).`,
      ];
    },
    hints: hintsOf('systemctl --user', 'journalctl --user', '~/.config/pickstation/environment'),
  };
}

function ofSystem(start: ServiceStart, system: Surroundings, isDefaultFolder: boolean): ServiceKind {
  const dataFolder = isDefaultFolder ? join('/var/lib', STATE_FOLDER) : start.dataFolder;
  const owner = isDefaultFolder
    ? ['DynamicUser=yes', `StateDirectory=${STATE_FOLDER}`, 'StateDirectoryMode=0700']
    : [`User=${ownerOf(dataFolder)}`, `ReadWritePaths=${systemdWord(dataFolder)}`];
  const group = serialGroup(system.groups);
  const isLowPort = start.port !== undefined && start.port > 0 && start.port < FIRST_FREE_PORT;
  const text = fill(readTemplate(start.root, `${NAME}.system.service`), {
    command: systemdCommand([...start.command, '--data', dataFolder]),
    owner: owner.join('\n'),
    groups: group === undefined ? '# No group of serial ports was found here.' : `SupplementaryGroups=${group}`,
    capabilities: isLowPort ? 'CAP_NET_BIND_SERVICE' : '',
  });
  const plain = common(system, []);
  return {
    ...plain,
    file: join(system.systemUnits, `${NAME}.service`),
    text,
    dataFolder,
    isOfData: (installed) => installed.includes(systemdArgument(dataFolder)),
    refuse() {
      plain.refuse();
      refuseHidden([start.root, start.command[0] ?? '']);
      if (!isDefaultFolder) refuseRoot(dataFolder);
    },
    enable() {
      enable(system, []);
      return ['It starts with the machine.'];
    },
    hints: hintsOf('systemctl', 'journalctl', '/etc/pickstation/environment'),
  };
}

function common(system: Surroundings, scope: readonly string[]) {
  const ask = (...args: string[]) => system.run('systemctl', [...scope, ...args]);
  return {
    refuse(): void {
      if (!existsSync(system.booted)) {
        throw new StationError(
          'invalid',
          'This system was not started by systemd, so that no service was installed. Start the station with the means of this system; --service print shows the unit for systemd.',
        );
      }
      const { status, err } = ask('show-environment');
      if (status === 0) return;
      throw new StationError(
        'invalid',
        `systemd does not answer ${system.userName} (${err}), so that no service was installed. Sign in as ${system.userName} itself, not over su or sudo, and try again.`,
      );
    },
    isRunning: () => ask('is-active', '--quiet', NAME).status === 0,
    disable(): void {
      const { status, err } = ask('disable', '--now', NAME);
      if (status === 0) return;
      const { out } = ask('show', '--property=LoadState,ActiveState', NAME);
      if (/^LoadState=not-found$/m.test(out) && /^ActiveState=inactive$/m.test(out)) return;
      throw new StationError('invalid', `systemctl ${[...scope, 'disable', '--now', NAME].join(' ')} failed: ${err}`);
    },
    forget(): void {
      ask('daemon-reload');
      ask('reset-failed', NAME);
    },
  };
}

function enable(system: Surroundings, scope: readonly string[]): void {
  for (const args of [['daemon-reload'], ['enable', NAME], ['restart', NAME]]) {
    const { status, err } = system.run('systemctl', [...scope, ...args]);
    if (status !== 0) throw new StationError('invalid', `systemctl ${[...scope, ...args].join(' ')} failed: ${err}`);
  }
}

function hintsOf(systemctl: string, journalctl: string, environment: string): string[] {
  return [
    `State: ${systemctl} status ${NAME}`,
    `What it prints, such as the first password: ${journalctl} -u ${NAME}`,
    `Stop until the next start of the machine: ${systemctl} stop ${NAME}`,
    `Passwords and keys (PICKSTATION_…=value, one a line; a file that only you can read): ${environment}`,
  ];
}

/** Throws if an unprivileged user could not access the program. */
function refuseHidden(paths: readonly string[]): void {
  for (const path of paths) {
    for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
      if ((statSync(folder).mode & OTHERS_ENTER) !== 0) continue;
      throw new StationError(
        'invalid',
        `Other users may not enter ${folder}, and a service of the system is one of them: no service was installed. Move the program to /opt, or install the service without sudo, as the user who owns it.`,
      );
    }
  }
}

function refuseRoot(dataFolder: string): void {
  if (ownerOf(dataFolder) > 0) return;
  throw new StationError(
    'invalid',
    `The data folder ${dataFolder} belongs to root, or does not exist: no service was installed. Give it to the user who shall run the station (chown -R), or leave --data out for /var/lib/${STATE_FOLDER}.`,
  );
}

/** Returns the user id of a folder's owner, or 0 if the folder does not exist. */
function ownerOf(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
}

function serialGroup(file: string): string | undefined {
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return SERIAL_GROUPS.find((name) => new RegExp(`^${name}:`, 'm').test(known));
}

export function readTemplate(root: string, name: string): string {
  return readFileSync(join(root, 'resources', 'service', name), 'utf8');
}
