import { describe, expect, test } from 'vitest';
import { readConfig, usualPort } from '../../../electron/server/config.ts';
import { StationError } from '../../../electron/server/errors.ts';

const HOME = { XDG_DATA_HOME: '/home/of/data' };

function refusal(args: string[], environment: Record<string, string> = {}): string {
  try {
    readConfig(args, environment);
  } catch (error) {
    if (error instanceof StationError) return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(args)} was taken.`);
}

describe('arguments', () => {
  test('the data key must be 32 bytes in base64', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    expect(readConfig(['--key-file'], { ...HOME, PICKSTATION_DATA_KEY: ` ${key}\n` })).toMatchObject({
      dataKey: key,
      keyFile: true,
    });
    expect(readConfig([], { ...HOME, PICKSTATION_DATA_KEY: '' })).toMatchObject({ dataKey: undefined });
    for (const wrong of ['x', key.slice(1), Buffer.alloc(16).toString('base64'), key.replace('=', '')])
      expect(refusal([], { ...HOME, PICKSTATION_DATA_KEY: wrong })).toMatch(/32 random bytes as base64/);
  });

  test('arguments override the environment, which overrides the defaults', () => {
    expect(readConfig([], HOME)).toEqual({
      host: undefined,
      port: undefined,
      dataFolder: process.platform === 'linux' ? '/home/of/data/pickstation' : expect.stringMatching(/pickstation$/i),
      simulate: 0,
      adminPassword: undefined,
      apiKey: undefined,
      firstRun: 'print',
      logFiles: true,
    });
    // The port differs from a station's port and from the receiver's port in the examples.
    expect(readConfig(['--fleet'], HOME)).toMatchObject({ port: undefined, fleetOnly: true });
    expect(usualPort({ fleetOnly: undefined })).toBe(4680);
    expect(usualPort({ fleetOnly: true })).toBe(4682);
    const environment = {
      PICKSTATION_HOST: '0.0.0.0',
      PICKSTATION_PORT: '0',
      PICKSTATION_DATA_DIR: '/from/environment',
      PICKSTATION_SIMULATE: '5',
      PICKSTATION_ADMIN_PASSWORD: 'password',
      PICKSTATION_API_KEY: 'key',
      PICKSTATION_LOG_FILES: 'off',
    };
    expect(readConfig([], environment)).toEqual({
      host: '0.0.0.0',
      port: 0,
      dataFolder: '/from/environment',
      simulate: 5,
      adminPassword: 'password',
      apiKey: 'key',
      firstRun: 'print',
      logFiles: false,
    });
    const args = ['--host', '::1', '--port=4711', '--data', '/from/argument', '--simulate', '0'];
    expect(readConfig(args, environment)).toMatchObject({
      host: '::1',
      port: 4711,
      dataFolder: '/from/argument',
      simulate: 0,
    });
  });

  test('a certificate and its key must be given together, in arguments or the environment', () => {
    const both = { cert: 'c.pem', key: 'k.pem' };
    expect(readConfig(['--tls-cert', 'c.pem', '--tls-key', 'k.pem'], HOME)).toMatchObject({ tls: both });
    expect(readConfig(['--tls-cert', 'c.pem'], { ...HOME, PICKSTATION_TLS_KEY: 'k.pem' })).toMatchObject({ tls: both });
    expect(refusal(['--tls-cert', 'c.pem'])).toMatch(/go together: the key is missing/);
    expect(refusal([], { PICKSTATION_TLS_KEY: 'k.pem' })).toMatch(/go together: the certificate is missing/);
  });

  test('an argument or a variable turns log files off, and the variable accepts only known values', () => {
    expect(readConfig(['--no-log-files'], HOME)).toMatchObject({ logFiles: false });
    expect(readConfig(['--no-log-files'], { ...HOME, PICKSTATION_LOG_FILES: 'on' })).toMatchObject({ logFiles: false });
    expect(refusal([], { PICKSTATION_LOG_FILES: 'no' })).toMatch(/must be on or off, not "no"/);
  });

  test('an empty variable counts as not set', () => {
    const blank = {
      PICKSTATION_HOST: '',
      PICKSTATION_PORT: '',
      PICKSTATION_DATA_DIR: '',
      PICKSTATION_API_KEY: '',
      ...HOME,
    };
    expect(readConfig([], blank)).toEqual(readConfig([], HOME));
  });

  test('an argument without a value is refused, because an empty host would listen on every network', () => {
    for (const name of ['--host', '--port', '--data', '--simulate']) {
      expect(refusal([`${name}=`]), name).toContain(name);
      expect(refusal([name, '']), name).toContain(name);
      expect(refusal([name]), name).toContain(name);
    }
  });

  test('an invalid or out-of-range number is refused with its range', () => {
    for (const text of ['x', '1.5', '-1', '65536', '1e3', '0x10', ' 80', '80 ', '99999999999999999999', 'NaN']) {
      expect(refusal([`--port=${text}`]), text).toMatch(/--port must be a whole number from 0 to 65535/);
    }
    expect(refusal(['--simulate=10001'])).toMatch(/--simulate .* 0 to 10000,/);
    expect(refusal([], { PICKSTATION_PORT: 'x' })).toMatch(/port.*0 to 65535/);
  });

  test('an unknown argument is refused with the usage', () => {
    for (const args of [['--prot', '1'], ['run'], ['--port', '1', 'x'], ['-p', '1'], ['--help=yes'], ['--', 'x']]) {
      expect(refusal(args), args.join(' ')).toMatch(/Usage: npm run serve/);
    }
  });

  test('an option that npm consumed is refused, and the message explains where to write options', () => {
    expect(refusal(['0'])).toContain("Unexpected argument '0'");
    expect(refusal(['0'])).toContain('With npm, options go behind "--".');
  });

  test('--help is recognized', () => {
    expect(readConfig(['--help'], {})).toBe('help');
  });
});
