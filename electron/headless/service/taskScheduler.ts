import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StationError } from '../../server/errors.ts';
import type { ServiceKind, ServiceStart } from './plan.ts';
import { fill, windowsArgument, xmlText } from './quoting.ts';
import type { Surroundings } from './surroundings.ts';
import { readTemplate } from './systemd.ts';

const NAME = 'Pickstation station';
const DATABASE = 'pickstation.sqlite';

/** A task that Windows begins at its start, and again within a minute when it has ended. */
export function scheduledTask(start: ServiceStart, system: Surroundings): ServiceKind {
  const [program = '', ...args] = start.command;
  const domain = system.environment['USERDOMAIN'] ?? '';
  const file = join(start.dataFolder, 'service-task.xml');
  const run = (...given: string[]) => system.run('schtasks.exe', given);
  return {
    file,
    encoding: 'utf16le',
    text: fill(readTemplate(start.root, 'pickstation-station.task.xml'), {
      user: xmlText(domain === '' ? system.userName : `${domain}\\${system.userName}`),
      program: xmlText(program),
      arguments: xmlText([...args, '--data', start.dataFolder].map(windowsArgument).join(' ')),
    }),
    dataFolder: start.dataFolder,
    dataText: xmlText(windowsArgument(start.dataFolder)),
    refuse() {
      if (existsSync(join(start.dataFolder, DATABASE))) return;
      throw new StationError(
        'invalid',
        `A task shows nothing that it prints, and the first start prints the password: no service was installed. Start the station once by hand on ${start.dataFolder}, then install it.`,
      );
    },
    isRunning: () => /Running/.test(run('/query', '/tn', NAME, '/fo', 'csv', '/nh').out),
    enable() {
      for (const step of [
        ['/create', '/tn', NAME, '/xml', file, '/f'],
        ['/run', '/tn', NAME],
      ]) {
        const { status, err } = run(...step);
        if (status === 0) continue;
        throw new StationError(
          'invalid',
          `schtasks ${step[0]} failed: ${err} It needs a console that was opened as administrator.`,
        );
      }
      return [
        'It starts with the machine, without a sign-in, and within a minute after it has ended for whatever reason.',
      ];
    },
    disable() {
      run('/end', '/tn', NAME);
      const { status, err } = run('/delete', '/tn', NAME, '/f');
      if (status !== 0) throw new StationError('invalid', `schtasks /delete failed: ${err}`);
    },
    forget: () => undefined,
    hints: [
      `State: schtasks /query /tn "${NAME}" /v /fo list`,
      `Stop: schtasks /change /tn "${NAME}" /disable, then schtasks /end /tn "${NAME}"`,
      `What it does: the log files in ${join(start.dataFolder, 'logs')}`,
    ],
  };
}
