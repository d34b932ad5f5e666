import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../shells/until.ts';

export type Mosquitto = AsyncDisposable & {
  readonly port: number;
  readonly folder: string;
  /** Starts mosquitto again, with the previous configuration unless `lines` replaces it. */
  start(lines?: readonly string[]): Promise<void>;
  /** Stops mosquitto. By default, it shuts down cleanly and saves its data. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Sends a signal. SIGHUP reloads passwords and rights, SIGSTOP makes mosquitto hang. */
  signal(name: NodeJS.Signals): void;
  /** Returns the id of the running process. */
  pid(): number | undefined;
  log(): string;
};

/**
 * Starts a real mosquitto. `lines` are added to the configuration of the listener. With `isQuiet`, messages are not logged individually.
 */
export async function startMosquitto(
  lines: readonly string[] = ['allow_anonymous true'],
  { isQuiet = false } = {},
): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-mosquitto-'));
  const port = await freePort();
  const config = join(folder, 'mosquitto.conf');
  let current = lines;
  let child: ChildProcess | undefined;
  let log = '';

  async function start(next = current): Promise<void> {
    current = next;
    // Otherwise mosquitto drops its root rights and cannot read the folder.
    const own = ['user root', `listener ${port} 127.0.0.1`, 'set_tcp_nodelay true', 'persistence_location ./'];
    writeFileSync(config, [...own, ...current, ''].join('\n'));
    log = '';
    const started = spawn('mosquitto', [...(isQuiet ? [] : ['-v']), '-c', config], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => void (log += text));
    }
    started.on('error', (error) => void (log += `Install mosquitto: ${error.message}`));
    await until('mosquitto', () => {
      if (started.exitCode !== null || /Install mosquitto/.test(log)) throw new Error(`mosquitto ended: ${log}`);
      return / running\n/.test(log);
    });
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const ended = new Promise((resolve) => void ending.once('close', resolve));
    ending.kill(signal);
    await ended;
  }

  await start();
  return {
    port,
    folder,
    start,
    stop,
    signal: (name) => void child?.kill(name),
    pid: () => child?.pid,
    log: () => log,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Heard = {
  topic: string;
  payload: string;
  retained: boolean;
  userProperties: Record<string, string>;
  correlation: unknown;
};

export type Subscriber = AsyncDisposable & {
  heard: Heard[];
  at(topic: string): Heard[];
  stop(): Promise<void>;
};

/** Starts `mosquitto_sub` as an independent subscriber. Resolves once it has subscribed. */
export async function subscribe(port: number, topic: string, args: readonly string[] = []): Promise<Subscriber> {
  const heard: Heard[] = [];

  const child = spawn(
    // Flush each line immediately, even into a pipe.
    'stdbuf',
    [
      '-oL',
      'mosquitto_sub',
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-V',
      '5',
      '-q',
      '1',
      '-d',
      '-t',
      topic,
      '-F',
      '%j',
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let rest = '';
  let isSubscribed = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      isSubscribed ||= line.startsWith('Subscribed');
      if (line.startsWith('{')) heard.push(read(line));
    }
  });
  await until(`a subscription to ${topic}`, () => isSubscribed);
  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => void child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  }
  return { heard, at: (wanted) => heard.filter((each) => each.topic === wanted), stop, [Symbol.asyncDispose]: stop };
}

function read(line: string): Heard {
  const { topic, payload, retain, properties } = JSON.parse(line) as {
    topic: string;
    payload?: string;
    retain: number;
    properties?: Record<string, unknown>;
  };
  const correlation = properties?.['correlation-data'];
  const userProperties = (properties?.['user-properties'] ?? {}) as Record<string, string>;
  return { topic, payload: payload ?? '', retained: retain === 1, userProperties, correlation };
}

/** Runs one of mosquitto's programs and returns its output. Throws with the error output if the program fails. */
export function send(
  program: 'mosquitto_pub' | 'mosquitto_rr' | 'mosquitto_sub',
  port: number,
  args: readonly string[],
): string {
  const { status, stdout, stderr, error } = spawnSync(
    program,
    ['-h', '127.0.0.1', '-p', String(port), '-V', '5', '-q', '1', ...args],
    { encoding: 'utf8', timeout: 120_000 },
  );
  if (error !== undefined || status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
  return stdout;
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
