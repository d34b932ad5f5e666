import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, usage, type ServiceWish, type StationConfig } from '../server/config.ts';
import { StationError } from '../server/errors.ts';
import { createStation } from '../server/station.ts';
import { openLogFiles } from '../server/logs/systemLog.ts';
import { preferMainThread, systemClock, systemPorts } from '../server/systemPorts.ts';

/** Time limit for the process to end after a signal, from section 1 of the contract. */
const STOP_WITHIN_MS = 5_000;

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

const root = join(import.meta.dirname, '..', '..');

try {
  await serve();
} catch (error) {
  if (!(error instanceof StationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function changeService(wish: ServiceWish, config: StationConfig): Promise<void> {
  const { serviceCommand } = await import('./service/service.ts');
  const { thisSystem } = await import('./service/surroundings.ts');
  const { isDone, says } = await serviceCommand(wish, config, root, thisSystem());
  process.stdout.write(`${says}\n`);
  if (!isDone) process.exitCode = 1;
}

/** Checks whether the next start will succeed. If so, the exit code is 0. */
async function check(config: StationConfig): Promise<void> {
  const aborted = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => aborted.abort());
  const { checkStart } = await import('../server/check/checkStart.ts');
  const ports = systemPorts('silent', process.env);
  const { works, says } = await checkStart(config, ports, join(root, 'dist', 'renderer'), aborted.signal);
  (works ? process.stdout : process.stderr).write(`${says}\n`);
  if (!works) process.exitCode = 1;
}

async function serve(): Promise<void> {
  const help = usage(process.env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'npm run serve --');
  const config = readConfig(process.argv.slice(2), process.env, help);
  if (config === 'help') {
    process.stdout.write(`${help}\n`);
    return;
  }
  const logLevel = process.env['PICKSTATION_LOG'] ?? 'warn';
  if (!LOG_LEVELS.includes(logLevel)) {
    throw new StationError('invalid', `PICKSTATION_LOG must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}".`);
  }
  if (config.check === true) return check(config);
  if (config.service !== undefined) return changeService(config.service, config);
  const ports = systemPorts(logLevel, process.env, openLogFiles(config, systemClock(), process));
  const station = createStation(config, ports, join(root, 'dist', 'renderer'));
  // Keep the process alive during an internal restart, when nothing else does.
  const alive = setInterval(() => undefined, 2 ** 30);
  const end = (): void => {
    const limit = setTimeout(() => process.exit(1), STOP_WITHIN_MS);
    limit.unref();
    station
      .stop()
      .catch((error: unknown) => {
        process.stderr.write(`Stopping failed: ${String(error)}\n`);
        process.exitCode = 1;
      })
      .finally(() => clearInterval(alive));
  };
  // Do not use `once`: Ctrl+C may send the signal twice, from the terminal and from the launcher.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  const started = await station.start().catch((error: unknown) => {
    clearInterval(alive);
    throw error;
  });
  preferMainThread();
  process.stdout.write(`Pickstation ready at ${started.url}\n`);
  if (config.fleetOnly === true) process.stdout.write(`All stations at ${started.url}fleet\n`);
  if (started.emptied !== undefined) process.stdout.write(`${started.emptied}\n`);
  const others = started.addresses().filter((address) => address !== started.url);
  if (others.length > 0) process.stdout.write(`Reached at ${others.join(' and ')} too\n`);
  const fingerprint = started.fingerprint();
  if (fingerprint !== undefined) process.stdout.write(`Its certificate has the SHA-256 fingerprint ${fingerprint}\n`);
  if (started.generatedPassword !== undefined) {
    process.stdout.write(
      `Sign in as admin with the password ${started.generatedPassword} (shown only once; change it in the page: Settings, Account).\n`,
    );
  }
  if (!existsSync(join(root, 'dist', 'renderer', 'index.html'))) {
    process.stdout.write('The page is not built; only the API works. Build it with: npm run build\n');
  }
}
