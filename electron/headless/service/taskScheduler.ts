import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StationError } from '../../server/errors.ts';
import type { ServiceKind, ServiceStart } from './plan.ts';
import { fill, windowsArgument, xmlText } from './quoting.ts';
import type { Surroundings } from './surroundings.ts';
import { readTemplate } from './systemd.ts';

const NAME = 'Pickstation station';
const DATABASE = 'pickstation.sqlite';
const PROGRAM = 'start.mjs';
/**
 * Script that reads the task. It prints nothing if there is no task. schtasks would translate the state, and print paths in the console's
 * code page.
 */
const LOOK = `Get-ScheduledTask -ErrorAction Stop | Where-Object { $_.TaskPath -eq '\\' -and $_.TaskName -eq '${NAME}' } | ForEach-Object { '{0} {1}' -f ([int]$_.State), [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes([string]$_.Actions[0].Arguments)) }`;
const RUNNING = '4';
const AS_ADMINISTRATOR = 'It needs a console that was opened as administrator.';

/** Returns a task that Windows starts when the machine starts, and restarts within a minute after it ends. */
export function scheduledTask(start: ServiceStart, system: Surroundings): ServiceKind {
  const [program = '', ...args] = start.command;
  const domain = system.environment['USERDOMAIN'] ?? '';
  const file = join(start.dataFolder, 'service-task.xml');
  const run = (...given: string[]) => system.run('schtasks.exe', given);
  const must = (...given: string[]): void => {
    const { status, err } = run(...given);
    if (status === 0) return;
    throw new StationError('invalid', `schtasks ${given[0]} failed: ${err} ${AS_ADMINISTRATOR}`);
  };
  const dataArguments = ` --data ${windowsArgument(start.dataFolder)}`.toLowerCase();
  return {
    file,
    registered: { place: `the task "${NAME}"`, read: () => readTask(system) },
    encoding: 'utf16le',
    text: fill(readTemplate(start.root, 'pickstation-station.task.xml'), {
      user: xmlText(domain === '' ? system.userName : `${domain}\\${system.userName}`),
      program: xmlText(program),
      arguments: xmlText([...args, '--data', start.dataFolder].map(windowsArgument).join(' ')),
    }),
    dataFolder: start.dataFolder,
    isOfData: (installed) => installed.toLowerCase().endsWith(dataArguments),
    refuse() {
      if (existsSync(join(start.dataFolder, DATABASE))) return;
      throw new StationError(
        'invalid',
        `A task shows nothing that it prints, and the first start prints the password: no service was installed. Start the station once by hand on ${start.dataFolder}, then install it.`,
      );
    },
    isRunning: () => look(system)?.state === RUNNING,
    enable() {
      must('/create', '/tn', NAME, '/xml', file, '/f');
      // A running task still has the previous arguments.
      run('/end', '/tn', NAME);
      must('/run', '/tn', NAME);
      return [
        'It starts with the machine, without a sign-in, and within a minute after it has ended for whatever reason.',
      ];
    },
    disable() {
      const ended = run('/end', '/tn', NAME);
      const found = look(system);
      if (found === undefined) return;
      if (ended.status !== 0 && found.state === RUNNING) {
        throw new StationError('invalid', `schtasks /end failed: ${ended.err} ${AS_ADMINISTRATOR}`);
      }
      must('/delete', '/tn', NAME, '/f');
    },
    forget: () => undefined,
    hints: [
      `State: schtasks /query /tn "${NAME}" /v /fo list`,
      `Stop: schtasks /change /tn "${NAME}" /disable, then schtasks /end /tn "${NAME}"`,
      `What it does: the log files in ${join(start.dataFolder, 'logs')}`,
    ],
  };
}

/** Reads the arguments of the task. Throws if the task does not start a station. */
function readTask(system: Surroundings): string | undefined {
  const given = look(system)?.given;
  if (given === undefined || given.includes(PROGRAM)) return given;
  throw new StationError(
    'conflict',
    `The task "${NAME}" was not made by Pickstation, and was left as it is. Rename it first.`,
  );
}

function look(system: Surroundings): { state: string; given: string } | undefined {
  const { status, out, err } = system.run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', LOOK]);
  if (status !== 0) throw new StationError('invalid', `PowerShell does not show the tasks of this system: ${err}`);
  const [state = '', given = ''] = out.trim().split(' ');
  return state === '' ? undefined : { state, given: Buffer.from(given, 'base64').toString('utf8') };
}
