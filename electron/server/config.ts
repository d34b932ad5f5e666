import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MAX_SIMULATED } from '#shared/lib/devices/maxSimulated.ts';
import { StationError } from './errors.ts';

/** Start options of a station, as specified in section 1 of the contract. */
export type StationConfig = {
  /** Address to listen on, or undefined to use the setting `listen`. */
  host: string | undefined;
  /** Port to listen on. 0 selects any free port. If undefined, the setting `port` applies, or else the default port. */
  port: number | undefined;
  /** Port for this start only. Overrides `port` and the settings. 0 selects any free port. */
  portNow?: number | undefined;
  dataFolder: string;
  /** PEM files with the certificate and key for HTTPS. If undefined, the setting `tls` applies. */
  tls?: { cert: string; key: string } | undefined;
  /** TCP port for turbos. 0 selects any free port. If undefined, turbos cannot connect over TCP. */
  turboPort?: number | undefined;
  /** Absolute path of a backup to restore before anything is opened. */
  restore?: string | undefined;
  /** Names of people, keys, kiosks and screens that come back with `restore`. */
  bringBack?: string[] | undefined;
  /** With `restore`: whether to restore a backup even if it opens what is closed or different here. */
  yes?: boolean | undefined;
  /** Whether to start with the remaining data after a loss. The station keeps a copy of the files as it found them. */
  acceptLoss?: boolean | undefined;
  /** Minimum number of simulated devices. */
  simulate: number;
  /** Whether to show the other stations on the broker instead of running a station. */
  fleetOnly?: boolean | undefined;
  /** Password for the user `admin`, which is created if it does not exist. */
  adminPassword: string | undefined;
  /** Key for a new API user. */
  apiKey: string | undefined;
  /** What to do with the service that starts the station at boot, instead of starting the station. */
  service?: ServiceWish | undefined;
  /** Whether to test the next start on a copy of the data, instead of starting the station. */
  check?: boolean | undefined;
  /** The data key, 32 bytes in base64. If undefined, the key in the data folder or the keychain is used. */
  dataKey?: string | undefined;
  /** Whether to store the data key in a file, too, for starts without this keychain. */
  keyFile?: boolean | undefined;
  /** How a new data folder gets the password of `admin`: printed once, or chosen in the window. */
  firstRun: 'print' | 'window';
  /** Whether to also keep the log in the data folder, by default true. */
  logFiles?: boolean | undefined;
};

/** Actions for the system service that starts the station. */
const SERVICE_WISHES = ['install', 'remove', 'status', 'print'] as const;
export type ServiceWish = (typeof SERVICE_WISHES)[number];

const DEFAULT_PORT = 4680;
const DATA_KEY_BYTES = 32;
/** Default port with `--fleet`. Differs from the ports of a station (4680) and of the examples' receiver (4681) on the same machine. */
const FLEET_PORT = 4682;

/** Returns the default port of a station, or of a program that shows the fleet only. */
export function usualPort({ fleetOnly }: Pick<StationConfig, 'fleetOnly'>): number {
  return fleetOnly === true ? FLEET_PORT : DEFAULT_PORT;
}

/** All command line options. A test compares them with the usage text and docs/operating.md. */
export const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'turbo-port': { type: 'string' },
  simulate: { type: 'string' },
  fleet: { type: 'boolean' },
  restore: { type: 'string' },
  'bring-back': { type: 'string', multiple: true },
  yes: { type: 'boolean' },
  'accept-loss': { type: 'boolean' },
  'key-file': { type: 'boolean' },
  'no-log-files': { type: 'boolean' },
  check: { type: 'boolean' },
  service: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Returns the text of `--help`. `program` is the command that starts the program, and `more` has lines for additional options. */
export const usage = (program: string, more = '') => `Usage: ${program} [options]

  --host ADDRESS   listen here, whatever the settings say (127.0.0.1)
  --port NUMBER    on this port, whatever the settings say; 0 takes a free one (${DEFAULT_PORT})
  --data FOLDER    keep everything here
  --tls-cert FILE  use HTTPS with this certificate and those that signed it (PEM)
  --tls-key FILE   the private key of the certificate (PEM)
  --turbo-port N   accept turbos over TCP on this port (none); over WebSocket they connect to /turbo/
  --simulate N     at least N simulated devices (0)
  --fleet          only show the other stations at the broker (port ${FLEET_PORT})
  --restore FILE   restore this backup first, once; the current data are kept as a backup
  --bring-back NAME  with --restore: this person, key, kiosk or screen of the backup comes back; can be repeated
  --yes            with --restore: I know what the backup opens, which a start without this option lists
  --accept-loss    start once with the data that is left after a loss
  --key-file       keep the data key in the file data.key too, for starts without this keychain
  --no-log-files   write the log to stderr only, and not into the folder logs of the data
  --check          start on a copy of the data, also beside a running station, and say whether the next start will work
  --service DO     install, remove, status or print: the service that starts the station with the machine and the
                   options given here, and again after a fault
${more}  --help           this text

The same by PICKSTATION_HOST, PICKSTATION_PORT, PICKSTATION_DATA_DIR, PICKSTATION_TLS_CERT, PICKSTATION_TLS_KEY,
PICKSTATION_TURBO_PORT, PICKSTATION_SIMULATE, and PICKSTATION_LOG_FILES=off.
PICKSTATION_DATA_KEY is the data key (base64), which is then stored in no file.
PICKSTATION_ADMIN_PASSWORD and PICKSTATION_API_KEY create the user admin and an API user with that key;
PICKSTATION_LOG is debug, info, warn (unless set), error or silent, for stderr.`;

export const USAGE = usage('npm run serve --');

/**
 * Reads the start options. Arguments override the environment, which overrides the defaults. Throws a StationError that explains an invalid
 * option.
 */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  help = USAGE,
): StationConfig | 'help' {
  const values = parse(args, help);
  if (values.help === true) return 'help';
  for (const [name, value] of Object.entries(values)) {
    // An empty host would mean all networks.
    if (value === '') throw new StationError('invalid', `--${name} needs a value.\n\n${help}`);
  }
  const setting = (argument: string | undefined, name: string) =>
    argument ?? nonEmpty(environment[`PICKSTATION_${name}`]);
  const isFleet = values.fleet === true;
  for (const name of ['bring-back', 'yes'] as const)
    if (values[name] !== undefined && values.restore === undefined)
      throw new StationError('invalid', `--${name} needs --restore.\n\n${help}`);
  return {
    host: setting(values.host, 'HOST'),
    port: optionalPort(setting(values.port, 'PORT'), 'port'),
    dataFolder: setting(values.data, 'DATA_DIR') ?? `${defaultDataFolder(environment)}${isFleet ? '-fleet' : ''}`,
    fleetOnly: values.fleet,
    tls: readTls(setting(values['tls-cert'], 'TLS_CERT'), setting(values['tls-key'], 'TLS_KEY')),
    turboPort: optionalPort(setting(values['turbo-port'], 'TURBO_PORT'), 'turbo-port'),
    acceptLoss: values['accept-loss'],
    simulate: wholeNumber(setting(values.simulate, 'SIMULATE'), 0, MAX_SIMULATED, 'simulate'),
    restore: values.restore === undefined ? undefined : resolve(values.restore),
    bringBack: values['bring-back'],
    yes: values.yes,
    adminPassword: nonEmpty(environment['PICKSTATION_ADMIN_PASSWORD']),
    apiKey: nonEmpty(environment['PICKSTATION_API_KEY']),
    check: values.check,
    service: serviceWish(values.service),
    dataKey: readDataKey(environment['PICKSTATION_DATA_KEY']),
    keyFile: values['key-file'],
    firstRun: 'print',
    logFiles: values['no-log-files'] !== true && keepsLogFiles(environment['PICKSTATION_LOG_FILES']),
  };
}

function parse(args: readonly string[], help: string) {
  try {
    return parseArgs({
      args: [...args],
      options: OPTIONS,
      strict: true,
      allowPositionals: false,
    }).values;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // npm consumes the options before "--" and passes on the rest.
    const hint = /Unexpected argument/.test(why) ? ' With npm, options go behind "--".' : '';
    throw new StationError('invalid', `${why}${hint}\n\n${help}`);
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

function readDataKey(text: string | undefined): string | undefined {
  const value = nonEmpty(text)?.trim();
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === DATA_KEY_BYTES && bytes.toString('base64') === value) return value;
  throw new StationError(
    'invalid',
    `PICKSTATION_DATA_KEY must be ${DATA_KEY_BYTES} random bytes as base64, such as "openssl rand -base64 32" writes.`,
  );
}

function keepsLogFiles(text: string | undefined): boolean {
  const value = nonEmpty(text) ?? 'on';
  if (value !== 'on' && value !== 'off')
    throw new StationError('invalid', `PICKSTATION_LOG_FILES must be on or off, not "${value}".`);
  return value === 'on';
}

function serviceWish(text: string | undefined): ServiceWish | undefined {
  if (text === undefined) return undefined;
  const wish = SERVICE_WISHES.find((each) => each === text);
  if (wish === undefined)
    throw new StationError('invalid', `--service must be one of ${SERVICE_WISHES.join(', ')}, not "${text}".`);
  return wish;
}

function optionalPort(text: string | undefined, name: string): number | undefined {
  return text === undefined ? undefined : wholeNumber(text, 0, 65_535, name);
}

function wholeNumber(text: string | undefined, fallback: number, most: number, name: string): number {
  if (text === undefined) return fallback;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most))
    throw new StationError('invalid', `--${name} must be a whole number from 0 to ${most}, not "${text}".`);
  return value;
}

/** Returns the system's folder for this user's application data. */
function defaultDataFolder(environment: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32')
    return join(environment['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Pickstation');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Pickstation');
  return join(nonEmpty(environment['XDG_DATA_HOME']) ?? join(homedir(), '.local', 'share'), 'pickstation');
}
