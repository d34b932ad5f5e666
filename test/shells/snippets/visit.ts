import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Device } from '#shared/api/device.ts';
import { ROOT, type Snippet } from '../../helpers/snippets.ts';
import { API_KEY, folderOnDisk, spawnStation } from '../stationProcess.ts';
import { until } from '../until.ts';

/** Address of each program in the documents, and what the program prints once it is ready. */
const STATION = { address: '127.0.0.1:4680', says: 'Pickstation ready at' };
const RECEIVER = { address: '127.0.0.1:4681', says: 'Waiting for callbacks at' };

/** The labels that docs/examples/README.md assigns, for pages that assume a running station. */
const LABELS = ['A-1-1', 'A-1-2', 'A-2-1', 'A-3-2'];

/** The system's PATH without npm's additions. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

type KeptProgram = { child: ChildProcess; code: string; output(): string };

/** Runs the blocks of one page from the first to the last, in a folder that looks like the repository. */
export type Visit = {
  runProgram(snippet: Snippet): Promise<void>;
  /** Starts a program that keeps running. Resolves when it prints its address. */
  keepRunning(snippet: Snippet): Promise<void>;
  /** Resolves when the running program whose command contains this name has printed the text. */
  waitForPrinted(name: string, text: string): Promise<void>;
  request(method: string, path: string, body?: string, type?: string): Promise<{ status: number; text: string }>;
  end(): Promise<void>;
};

/** Begins a visit. `startsStation` is true if the page starts its own station. */
export async function visit({ startsStation }: { startsStation: boolean }): Promise<Visit> {
  const folder = folderOnDisk('snippets');
  const cwd = join(folder, 'repository');
  lookLikeTheRepository(cwd);
  const failed = join(folder, 'failed');
  const state = join(folder, 'state');
  watchCurl(join(folder, 'bin'), failed);
  const running: KeptProgram[] = [];
  const addresses = new Map<string, string>();
  let key = API_KEY;
  const station = startsStation
    ? undefined
    : spawnStation({ dataFolder: join(folder, 'station'), simulate: 6, port: 0 });
  if (station !== undefined) {
    addresses.set(STATION.address, new URL(await station.ready).host);
    await label(LABELS);
  }

  function environment(): NodeJS.ProcessEnv {
    const known = startsStation ? {} : { API_KEY, STATION_URL: `http://${addresses.get(STATION.address) ?? ''}/` };
    return {
      PATH: [join(folder, 'bin'), PATH].join(delimiter),
      HOME: folder,
      LANG: 'C.UTF-8',
      PICKSTATION_PORT: '0',
      CALLBACK_PORT: '0',
      PICKSTATION_DATA_DIR: join(folder, 'data'),
      ...known,
    };
  }

  /** Adapts code to this visit: inserts the real addresses, a free port for the receiver, and a separate temporary folder. */
  function here(code: string): string {
    let changed = code
      .replaceAll(/receiver\.mjs$/gm, 'receiver.mjs 0')
      .replaceAll(/(?<=\s)\/tmp\//g, `${folder}/`)
      .replaceAll("'API-KEY: my-key'", `'API-KEY: ${key}'`);
    for (const [named, real] of addresses) changed = changed.replaceAll(named, real);
    return changed;
  }

  function start({ language, code, line }: Snippet): KeptProgram {
    const file = join(cwd, `snippet-${line}.${language === 'js' ? 'mjs' : language}`);
    const isShell = language === 'sh';
    writeFileSync(file, isShell ? inOneTerminal(here(code), state) : here(code));
    const command = isShell ? 'sh' : language === 'py' ? 'python3' : 'node';
    const child = spawn(command, [file], {
      cwd,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return { child, code, output: () => output };
  }

  async function label(labels: readonly string[]): Promise<void> {
    const body = labels.map((locationoverride, index) => ({ deviceid: `51D000:00000${index + 1}`, locationoverride }));
    const { status, text } = await request('POST', '/api/devices/', JSON.stringify(body));
    if (status !== 200) throw new Error(text);
  }

  async function request(method: string, path: string, body?: string, type = 'application/json') {
    const answer = await fetch(`http://${addresses.get(STATION.address) ?? ''}${path}`, {
      method,
      headers: { 'api-key': key, 'content-type': type },
      body: body === undefined ? null : here(body),
    });
    return { status: answer.status, text: await answer.text() };
  }

  async function ask<T>(path: string): Promise<T> {
    return JSON.parse((await request('GET', path)).text) as T;
  }

  /** Waits, like a reader, until the first command of each device is lit. */
  async function devicesToBeLit(): Promise<void> {
    if (!addresses.has(STATION.address)) return;
    const ids = await ask<string[]>('/api/device/');
    await until('the devices to be lit', async () => {
      const devices = await Promise.all(ids.map((id) => ask<Device>(`/api/device/${id}/`)));
      return devices.every(({ commands: [command] }) => command === undefined || command.state === 'shown');
    });
  }

  return {
    request,

    async runProgram(snippet) {
      await devicesToBeLit();
      const { child, output } = start(snippet);
      const exit = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
      const refused = existsSync(failed) ? readFileSync(failed, 'utf8') : '';
      if (exit !== 0 || refused !== '') throw new Error(`It ended with ${String(exit)}.\n${refused}${output()}`);
    },

    async keepRunning(snippet) {
      const program = start(snippet);
      running.push(program);
      let ended = false;
      program.child.once('close', () => (ended = true));
      const findAddress = () => /^(.*) http:\/\/([^/\s]+)\/\s*$/m.exec(program.output());
      await until(`${snippet.code.trim()} to say where it is`, () => {
        if (ended) throw new Error(`It ended.\n${program.output()}`);
        return findAddress() !== null;
      });
      const [, says = '', address = ''] = findAddress() ?? [];
      addresses.set(says === STATION.says ? STATION.address : RECEIVER.address, address);
      key = /PICKSTATION_API_KEY=(\S+)/.exec(snippet.code)?.[1] ?? key;
    },

    waitForPrinted(name, text) {
      const program = running.find(({ code }) => code.includes(name));
      if (program === undefined) throw new Error(`No block before starts ${name} and keeps it running.`);
      return until(`${name} to print ${text}`, () => program.output().includes(text));
    },

    async end() {
      for (const { child } of running.toReversed()) await endGroup(child);
      await station?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a folder with links to everything in the repository, so that files written next to the originals stay in this folder. */
function lookLikeTheRepository(cwd: string): void {
  mkdirSync(cwd);
  for (const entry of readdirSync(ROOT)) {
    if (!['.git', 'test-output'].includes(entry)) symlinkSync(join(ROOT, entry), join(cwd, entry));
  }
  // A photograph of an article, which a reader would have.
  copyFileSync(join(ROOT, 'docs/station.png'), join(cwd, 'CT-200.jpg'));
}

/** Returns code that runs a block as in one terminal: it stops at the first failure and inherits the variables of earlier blocks. */
function inOneTerminal(code: string, state: string): string {
  return `[ ! -f '${state}' ] || . '${state}'\nset -eu\n${code}\nexport -p | grep API >'${state}' || true\n`;
}

/** Creates a curl that records refused requests in a file, because the real one treats a 404 as a success. */
function watchCurl(bin: string, failed: string): void {
  mkdirSync(bin);
  const program = join(bin, 'curl');
  const real = PATH.split(delimiter)
    .map((folder) => join(folder, 'curl'))
    .find((file) => existsSync(file));
  writeFileSync(
    program,
    `#!/bin/sh\n'${real ?? 'curl'}' --fail-with-body -sS "$@" || { echo "curl ended with $?: $*" >>'${failed}'; exit 22; }\n`,
  );
  chmodSync(program, 0o755);
}

/** Ends the whole process group, because npm ends only after its children and does not forward SIGTERM. */
async function endGroup(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}
