import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StationError } from '../server/errors.ts';

export const USAGE = `Usage: npm run turbo-sim -- (--serial PATH | --connect URL) [options]

  --serial PATH       connect over this serial port or pseudo-terminal
  --connect URL       connect to a station: ws://HOST:PORT/turbo/, wss://..., tcp://HOST:PORT or tls://HOST:PORT
  --devices N         number of simulated devices (6)
  --first-id ID       DeviceID of the first device (7C0000:000001)
  --serial-number ID  serial number of the turbo (TURBO-SIM)
  --name TEXT         name of the turbo
  --user NAME         sign in as this person or API user; the password or key is in PICKSTATION_TURBO_SECRET
  --ca FILE           trust this certificate (PEM), such as one that a station created
  --radio-loss PART   share of lost messages between turbo and devices, 0 to 0.95 (0)
  --latency MS        delay of each of these messages (0)
  --airtime MS        how long a message to one device keeps the others waiting (0)
  --refresh MS        duration of a full refresh of an e-paper (2000); a partial one takes 0.15 of it
  --press-after MS    press each device this long after it is lit (default: never)
  --hands             read actions from standard input, one per line: press ID, hold ID (a long press), plus ID,
                      minus ID, away ID (out of radio range), back ID, restart (turns the turbo off and on)
  --baud NUMBER       baud rate of the serial port (921600)
  --help              print this text

It reconnects forever. PICKSTATION_LOG is debug, info, warn (default), error or silent.
`;

export type SimOptions = {
  target: { kind: 'serial'; path: string; baudRate: number } | { kind: 'network'; url: URL; ca: string | undefined };
  /** The target, as text for the user. */
  where: string;
  deviceIds: readonly string[];
  serialNumber: string;
  name: string;
  signIn: { username: string; secret: string } | undefined;
  radioLoss: number;
  latencyMs: number;
  airtimeMs: number;
  refreshMs: number;
  pressAfterMs: number | undefined;
  hands: boolean;
  logLevel: string;
};

const ID = /^[0-9A-F]{6}:[0-9A-F]{6}$/i;
const PROTOCOLS = ['ws:', 'wss:', 'tcp:', 'tls:'];
type NumberOption = 'devices' | 'radio-loss' | 'latency' | 'airtime' | 'refresh' | 'press-after' | 'baud';
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/** Reads the options. Throws a StationError that explains the problem and the usage. */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): SimOptions | 'help' {
  const values = parse(args);
  if (values.help === true) return 'help';
  const number = (name: NumberOption, least: number, most: number) => {
    const text = values[name];
    const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
    if (!(value >= least && value <= most))
      throw wrong(`--${name} must be a number from ${least} to ${most}, not "${text}".`);
    return value;
  };
  const count = Math.floor(number('devices', 0, 10_000));
  const { user } = values;
  const secret = environment['PICKSTATION_TURBO_SECRET'];
  if (user !== undefined && secret === undefined) {
    throw wrong(
      '--user needs a password or key in the variable PICKSTATION_TURBO_SECRET, so that it does not appear in process lists.',
    );
  }
  const logLevel = environment['PICKSTATION_LOG'] ?? 'warn';
  if (!LOG_LEVELS.includes(logLevel)) throw wrong(`PICKSTATION_LOG must be one of ${LOG_LEVELS.join(', ')}.`);
  const target = readTarget(values, number('baud', 300, 10_000_000));
  return {
    target,
    where: target.kind === 'serial' ? `on ${target.path}` : `to ${target.url.href}`,
    deviceIds: idsFrom(values['first-id'], count),
    serialNumber: values['serial-number'],
    name: values.name,
    signIn: secret === undefined ? undefined : { username: user ?? '', secret },
    radioLoss: number('radio-loss', 0, 0.95),
    latencyMs: number('latency', 0, 60_000),
    airtimeMs: number('airtime', 0, 60_000),
    refreshMs: number('refresh', 0, 60_000),
    pressAfterMs: values['press-after'] === undefined ? undefined : number('press-after', 0, 3_600_000),
    hands: values.hands === true,
    logLevel,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        serial: { type: 'string' },
        connect: { type: 'string' },
        devices: { type: 'string', default: '6' },
        'first-id': { type: 'string', default: '7C0000:000001' },
        'serial-number': { type: 'string', default: 'TURBO-SIM' },
        name: { type: 'string', default: 'Simulated turbo' },
        user: { type: 'string' },
        ca: { type: 'string' },
        'radio-loss': { type: 'string', default: '0' },
        latency: { type: 'string', default: '0' },
        airtime: { type: 'string', default: '0' },
        refresh: { type: 'string', default: '2000' },
        'press-after': { type: 'string' },
        hands: { type: 'boolean' },
        baud: { type: 'string', default: '921600' },
        help: { type: 'boolean', short: 'h' },
      },
      strict: true,
      allowPositionals: false,
    }).values;
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function readTarget(
  { serial, connect, ca }: { serial?: string; connect?: string; ca?: string },
  baudRate: number,
): SimOptions['target'] {
  if ((serial === undefined) === (connect === undefined)) throw wrong('Give either --serial or --connect.');
  if (serial !== undefined) return { kind: 'serial', path: serial, baudRate };
  const url = URL.parse(connect ?? '');
  if (url === null || !PROTOCOLS.includes(url.protocol)) {
    throw wrong(`--connect must be a URL with ${PROTOCOLS.map((each) => `${each}//`).join(', ')}, not "${connect}".`);
  }
  // Refuse a user name or password in the URL, because proxies log URLs.
  if (url.username !== '' || url.password !== '')
    throw wrong('Sign in with --user and PICKSTATION_TURBO_SECRET, not in the URL.');
  if (url.protocol === 'tcp:' || url.protocol === 'tls:') {
    if (url.port === '') throw wrong(`${connect} names no port.`);
  }
  return { kind: 'network', url, ca: ca === undefined ? undefined : readCa(ca) };
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(`The certificate ${file} cannot be read (${error instanceof Error ? error.message : String(error)}).`);
  }
}

function idsFrom(first: string, count: number): string[] {
  if (!ID.test(first)) throw wrong(`--first-id must be a DeviceID such as 7C0000:000001, not "${first}".`);
  const [prefix = '', suffix = ''] = first.toUpperCase().split(':');
  const start = Number.parseInt(suffix, 10);
  if (!/^\d{6}$/.test(suffix)) throw wrong('The second half of --first-id must be decimal, as it is counted up.');
  if (start + count - 1 > 999_999)
    throw wrong(`--first-id ${first} leaves too few numbers for ${count} devices: the last one is ${prefix}:999999.`);
  return Array.from({ length: count }, (_, at) => `${prefix}:${String(start + at).padStart(6, '0')}`);
}

function wrong(why: string): StationError {
  return new StationError('invalid', `${why}\n\n${USAGE}`);
}
