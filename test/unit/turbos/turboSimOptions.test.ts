import { expect, test } from 'vitest';
import { StationError } from '../../../electron/server/errors.ts';
import { readOptions, type SimOptions } from '../../../electron/turboSim/options.ts';

const SECRET = { PICKSTATION_TURBO_SECRET: 'open sesame' };

const read = (line: string, environment: Record<string, string> = {}): SimOptions => {
  const options = readOptions(line.split(' ').filter(Boolean), environment);
  if (options === 'help') throw new Error('This asks for help.');
  return options;
};

test('reads a serial port, with radio faults', () => {
  expect(read('--serial /dev/pts/7 --devices 3 --radio-loss 0.1 --latency 50')).toEqual({
    target: { kind: 'serial', path: '/dev/pts/7', baudRate: 921_600 },
    where: 'on /dev/pts/7',
    deviceIds: ['7C0000:000001', '7C0000:000002', '7C0000:000003'],
    serialNumber: 'TURBO-SIM',
    name: 'Simulated turbo',
    signIn: undefined,
    radioLoss: 0.1,
    latencyMs: 50,
    airtimeMs: 0,
    refreshMs: 2_000,
    pressAfterMs: undefined,
    hands: false,
    logLevel: 'warn',
  });
});

test('reads an address, an identity, and a sign-in whose secret comes from the environment', () => {
  const line =
    '--connect wss://shop-pc:4680/turbo/ --user hall --serial-number H-2 --first-id 7c00ab:000009 --devices 2';
  expect(
    read(`${line} --press-after 0 --airtime 5 --refresh 50 --hands`, { ...SECRET, PICKSTATION_LOG: 'debug' }),
  ).toMatchObject({
    target: { kind: 'network', url: new URL('wss://shop-pc:4680/turbo/'), ca: undefined },
    where: 'to wss://shop-pc:4680/turbo/',
    signIn: { username: 'hall', secret: 'open sesame' },
    serialNumber: 'H-2',
    deviceIds: ['7C00AB:000009', '7C00AB:000010'],
    pressAfterMs: 0,
    airtimeMs: 5,
    refreshMs: 50,
    hands: true,
    logLevel: 'debug',
  });
  // An API key needs no user name.
  expect(read('--connect tcp://[::1]:4681', SECRET).signIn).toEqual({ username: '', secret: 'open sesame' });
});

test.each(['--help', '-h', '--help --serial /dev/ttyS0 --connect nonsense --devices many', '--user me --help'])(
  '"%s" asks for help, even with invalid options',
  (line) => {
    expect(readOptions(line.split(' '), { PICKSTATION_LOG: 'loud' })).toBe('help');
  },
);

test('counts DeviceIDs up to the last one', () => {
  const { deviceIds } = read('--serial /dev/ttyS0 --first-id 7C0000:999998 --devices 2');
  expect(deviceIds).toEqual(['7C0000:999998', '7C0000:999999']);
});

test.each([
  ['', 'Give either --serial or --connect.'],
  ['--serial /dev/ttyS0 --connect tcp://h:1', 'Give either --serial or --connect.'],
  ['--connect http://h/', '--connect must be a URL with ws://, wss://, tcp://, tls://, not "http://h/".'],
  ['--connect nonsense', 'not "nonsense"'],
  ['--connect tcp://h', 'tcp://h names no port.'],
  ['--connect ws://me:secret@h/turbo/', 'Sign in with --user and PICKSTATION_TURBO_SECRET, not in the URL.'],
  ['--connect ws://h/ --user me', '--user needs a password or key in the variable PICKSTATION_TURBO_SECRET'],
  ['--connect wss://h/ --ca /none.pem', 'The certificate /none.pem cannot be read'],
  ['--serial /dev/ttyS0 --devices many', '--devices must be a number from 0 to 10000, not "many".'],
  ['--serial /dev/ttyS0 --refresh slow', '--refresh must be a number from 0 to 60000, not "slow".'],
  ['--serial /dev/ttyS0 --radio-loss 1', '--radio-loss must be a number from 0 to 0.95, not "1".'],
  ['--serial /dev/ttyS0 --latency -5', "'--latency' argument is ambiguous"],
  ['--serial /dev/ttyS0 --baud 0', '--baud must be a number from 300 to 10000000'],
  ['--serial /dev/ttyS0 --first-id nonsense', '--first-id must be a DeviceID such as 7C0000:000001'],
  ['--serial /dev/ttyS0 --first-id 7C0000:00000A', 'decimal, as it is counted up'],
  ['--serial /dev/ttyS0 --first-id 7C0000:999998 --devices 3', 'too few numbers for 3 devices'],
  ['--serial /dev/ttyS0 --color red', "Unknown option '--color'"],
])('refuses "%s" with a message, followed by the usage', (line, why) => {
  const refused = (): unknown => {
    try {
      return read(line);
    } catch (error) {
      return error;
    }
  };
  const error = refused();
  if (!(error instanceof StationError)) throw new Error(`It was taken: ${String(error)}`);
  expect(error.message).toContain(why);
  expect(error.message).toContain('Usage: npm run turbo-sim');
});

test('refuses an unknown log level', () => {
  expect(() => read('--serial /dev/ttyS0', { PICKSTATION_LOG: 'loud' })).toThrow(
    'PICKSTATION_LOG must be one of debug',
  );
});
