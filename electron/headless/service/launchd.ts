import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StationError } from '../../server/errors.ts';
import type { ServiceKind, ServiceStart } from './plan.ts';
import { fill, xmlText } from './quoting.ts';
import type { Surroundings } from './surroundings.ts';
import { readTemplate } from './systemd.ts';

const LABEL = 'org.pickstation.station';

/** Returns a launchd agent for the user who installs it. */
export function launchdAgent(start: ServiceStart, system: Surroundings): ServiceKind {
  const domain = `gui/${system.uid}`;
  const file = join(system.home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const log = join(system.home, 'Library', 'Logs', 'Pickstation', 'service.log');
  const command = [...start.command, '--data', start.dataFolder];
  const ask = () => system.run('launchctl', ['print', `${domain}/${LABEL}`]);
  const remove = (): void => {
    const { status, err } = system.run('launchctl', ['bootout', `${domain}/${LABEL}`]);
    if (status === 0) return;
    const found = ask().status;
    if (found !== null && found > 0) return;
    throw new StationError('invalid', `launchctl bootout ${domain}/${LABEL} failed: ${err}`);
  };
  return {
    file,
    text: fill(readTemplate(start.root, `${LABEL}.plist`), {
      arguments: command.map((each) => `    <string>${xmlText(each)}</string>`).join('\n'),
      log: xmlText(log),
    }),
    dataFolder: start.dataFolder,
    isOfData: (installed) => installed.includes(`<string>${xmlText(start.dataFolder)}</string>`),
    refuse() {
      if (system.uid !== 0) return;
      throw new StationError(
        'invalid',
        'Install the service as the user who shall run the station, without sudo: no service was installed.',
      );
    },
    isRunning: () => /^\s*state = running$/m.test(ask().out),
    enable() {
      mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
      remove();
      const { status, err } = system.run('launchctl', ['bootstrap', domain, file]);
      if (status !== 0) throw new StationError('invalid', `launchctl bootstrap ${domain} failed: ${err}`);
      return [
        `It starts when ${system.userName} signs in: let this user sign in automatically to start it with the machine.`,
      ];
    },
    disable: remove,
    forget: () => undefined,
    hints: [
      `State: launchctl print ${domain}/${LABEL}`,
      `What it prints, such as the first password: ${log}`,
      `Stop until the next sign-in: launchctl bootout ${domain}/${LABEL}`,
    ],
  };
}
