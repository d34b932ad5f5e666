import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MAX_SIMULATED } from '#shared/lib/maxSimulated.ts';
import { StationError } from './errors.ts';

/** How a station is started. Contract, section 1. */
export type StationConfig = {
  /** Undefined: as the setting `listen` says. */
  host: string | undefined;
  /** 0 takes a free one. */
  port: number;
  dataFolder: string;
  /** Files in PEM of the certificate to speak HTTPS with; without them the setting `tls` says. */
  tls?: { cert: string; key: string } | undefined;
  /** Where turbos connect by TCP, 0 for a free port; undefined: nowhere. */
  turboPort?: number | undefined;
  /** A backup to restore before anything is opened; the whole path. Undefined: none. */
  restore?: string | undefined;
  /** After a loss the station starts with the data that is left; the files as they were found are kept. */
  acceptLoss?: boolean | undefined;
  /** How many simulated devices there should be at least. */
  simulate: number;
  /** Creates the user `admin`, or gives him this password. */
  adminPassword: string | undefined;
  /** Creates an API user with this key. */
  apiKey: string | undefined;
  /** How the password of `admin` is made on a fresh data folder: said once, or chosen in the window. */
  firstRun: 'print' | 'window';
};

const DEFAULT_PORT = 4680;

/** Every option there is; a test finds each in the usage text and in docs/operating.md. */
export const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'turbo-port': { type: 'string' },
  simulate: { type: 'string' },
  restore: { type: 'string' },
  'accept-loss': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const USAGE = `Usage: npm run serve -- [options]

  --host ADDRESS   listen here, whatever the settings say (127.0.0.1)
  --port NUMBER    on this port; 0 takes a free one (${DEFAULT_PORT})
  --data FOLDER    keep everything here
  --tls-cert FILE  speak HTTPS with this certificate and what it is signed by (PEM),
  --tls-key FILE   and this key of it (PEM)
  --turbo-port N   take turbos by TCP on this port (none); by WebSocket they connect to /turbo/
  --simulate N     at least N simulated devices (0)
  --restore FILE   restore this backup first, once; the current data are kept as a backup
  --accept-loss    start once with the data that is left after a loss
  --help           this text

The same by PICKSTATION_HOST, PICKSTATION_PORT, PICKSTATION_DATA_DIR, PICKSTATION_TLS_CERT, PICKSTATION_TLS_KEY,
PICKSTATION_TURBO_PORT and PICKSTATION_SIMULATE.
PICKSTATION_ADMIN_PASSWORD and PICKSTATION_API_KEY create the user admin and an API user with that key;
PICKSTATION_LOG is debug, info, warn (unless set), error or silent.`;

/** Arguments before environment before defaults. Throws a StationError that says what is wrong with them. */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): StationConfig | 'help' {
  const values = parse(args);
  if (values.help === true) return 'help';
  for (const [name, value] of Object.entries(values)) {
    // An empty host would mean every network there is.
    if (value === '') throw new StationError('invalid', `--${name} needs a value.\n\n${USAGE}`);
  }
  const setting = (argument: string | undefined, name: string) =>
    argument ?? nonEmpty(environment[`PICKSTATION_${name}`]);
  return {
    host: setting(values.host, 'HOST'),
    port: wholeNumber(setting(values.port, 'PORT'), DEFAULT_PORT, 65_535, 'port'),
    dataFolder: setting(values.data, 'DATA_DIR') ?? defaultDataFolder(environment),
    tls: readTls(setting(values['tls-cert'], 'TLS_CERT'), setting(values['tls-key'], 'TLS_KEY')),
    turboPort: optionalPort(setting(values['turbo-port'], 'TURBO_PORT')),
    acceptLoss: values['accept-loss'],
    simulate: wholeNumber(setting(values.simulate, 'SIMULATE'), 0, MAX_SIMULATED, 'simulate'),
    restore: values.restore === undefined ? undefined : resolve(values.restore),
    adminPassword: nonEmpty(environment['PICKSTATION_ADMIN_PASSWORD']),
    apiKey: nonEmpty(environment['PICKSTATION_API_KEY']),
    firstRun: 'print',
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: OPTIONS,
      strict: true,
      allowPositionals: false,
    }).values;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // npm takes options that stand before "--" for its own, and passes on what is left of them.
    const hint = /Unexpected argument/.test(why) ? ' With npm, options go behind "--".' : '';
    throw new StationError('invalid', `${why}${hint}\n\n${USAGE}`);
  }
}

function readTls(cert: string | undefined, key: string | undefined): StationConfig['tls'] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new StationError(
      'invalid',
      `--tls-cert and --tls-key go together: ${cert === undefined ? 'the certificate' : 'the key'} is missing.`,
    );
  }
  return { cert, key };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}

function optionalPort(text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(text, 0, 65_535, 'turbo-port');
}

function wholeNumber(text: string | undefined, fallback: number, most: number, name: string): number {
  if (text === undefined) return fallback;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most))
    throw new StationError('invalid', `--${name} takes a whole number from 0 to ${most}, not "${text}".`);
  return value;
}

/** Where the system keeps the data of its user's programs. */
function defaultDataFolder(environment: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32')
    return join(environment['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Pickstation');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Pickstation');
  return join(nonEmpty(environment['XDG_DATA_HOME']) ?? join(homedir(), '.local', 'share'), 'pickstation');
}
