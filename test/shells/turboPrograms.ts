import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { deviceIdOf } from '../helpers/boards/microPythonBoard.ts';
import { plugCable } from './cable.ts';
import type { Hand, TurboUnderTest } from './turboContract.ts';
import type { TurboShop } from './turboShop.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const PYTHON_TURBO = join(ROOT, 'docs', 'examples', 'turbo.py');
const TURBO_SIM = join(ROOT, 'electron', 'turboSim', 'main.ts');
const BOARD_PROGRAM = join(ROOT, 'test', 'helpers', 'boards', 'boardProgram.ts');
const BOARDS = ['board-1', 'board-2'] as const;
const REFRESH_MS = 50;

/** What a program prints when a device has accepted an action. */
const TAKEN: Record<Hand, string> = { press: 'front of', hold: 'front of', plus: 'plus of', minus: 'minus of' };
const REFUSED = 'is full and refuses the press';

/** A turbo as a separate program. Each line on its standard input is an action at a device. */
class Program {
  private child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  private ended = Promise.resolve();
  private output = '';
  private readonly command: readonly [string, ...string[]];
  private readonly secret: string;

  constructor(command: readonly [string, ...string[]], secret: string) {
    this.command = command;
    this.secret = secret;
  }

  start(): void {
    const [program, ...args] = this.command;
    const env = { ...process.env, PICKSTATION_TURBO_SECRET: this.secret };
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => undefined); // the process can be killed while a line is being sent
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.child = child;
    this.ended = new Promise((resolve) =>
      child.once('close', (code) => {
        if (this.child === child) process.stderr.write(`${program} ended by itself with ${code}: ${this.output}\n`);
        resolve();
      }),
    );
  }

  /** Kills the process, like a power cut. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    this.child = undefined;
    child.kill('SIGKILL');
    await this.ended;
  }

  /** Sends a line to the program. Returns the first of these answers that the program prints. */
  async do(line: string, answers: readonly string[]): Promise<string> {
    this.output = '';
    this.child?.stdin.write(`${line}\n`);
    const said = (): string | undefined => answers.find((answer) => this.output.includes(answer));
    await until(`"${answers.join('" or "')}"`, () => said() !== undefined).catch((error: unknown) => {
      throw new Error(`To "${line}" the turbo said: ${this.output}`, { cause: error });
    });
    return said() ?? '';
  }

  async use(hand: Hand, device: string): Promise<'taken' | 'refused'> {
    const answers = [`${device} ${TAKEN[hand]}`, `${device} ${REFUSED}`];
    return (await this.do(`${hand} ${device}`, answers)) === answers[0] ? 'taken' : 'refused';
  }

  move(device: string, isReachable: boolean): void {
    this.child?.stdin.write(`${isReachable ? 'back' : 'away'} ${device}\n`);
  }
}

type Way = {
  /** Arguments that connect the program to the station. */
  args: (shop: TurboShop) => string[];
  /** Returns the names of both ends of a cable. Several boards have separate cables. Undefined for other connections. */
  cable?: (shop: TurboShop, board?: string) => [string, string];
};

const ends = ({ folder }: TurboShop, board = 'turbo'): [string, string] => [
  join(folder, `end-of-${board}`),
  join(folder, `end-of-station-of-${board}`),
];
const trust = ({ ca }: TurboShop, ...more: string[]): string[] => (ca === undefined ? [] : ['--ca', ca, ...more]);
const cable: Way = { args: (shop) => ['--serial', ends(shop)[0]], cable: ends };

/** The simulated turbo as a separate program. */
export const SIM_WAYS = {
  'a WebSocket': {
    args: (shop) => ['--connect', `ws${shop.ca === undefined ? '' : 's'}://${shop.http}/turbo/`, ...trust(shop)],
  },
  TCP: { args: (shop) => ['--connect', `${shop.ca === undefined ? 'tcp' : 'tls'}://${shop.tcp}`, ...trust(shop)] },
  'a pseudo-terminal': cable,
} satisfies Record<string, Way>;

/** The Python example, written from the protocol page. */
export const PYTHON_WAYS = {
  TCP: { args: (shop) => ['--tcp', shop.tcp, ...trust(shop, '--tls')] },
  'a pseudo-terminal': cable,
} satisfies Record<string, Way>;

/** Our firmware in MicroPython, where each board is a turbo with one device. */
export const BOARD_WAYS = {
  TCP: { args: (shop) => ['--tcp', shop.tcp, ...trust(shop)] },
  'a WebSocket': { args: (shop) => ['--websocket', shop.http, ...trust(shop)] },
  'pseudo-terminals': { args: (shop) => BOARDS.flatMap((board) => ['--serial', ends(shop, board)[0]]), cable: ends },
} satisfies Record<string, Way>;

/** Starts the simulated turbo. Its devices run in the same program, so `reboot` restarts only the turbo within it. */
export async function openSim(shop: TurboShop, way: Way): Promise<TurboUnderTest> {
  const names = ['--serial-number', 'SIM-PROGRAM', '--first-id', '7A0000:000001', '--devices', '4'];
  return openProgram(shop, way, {
    serialNumbers: ['SIM-PROGRAM', 'SIM-PROGRAM'],
    // Devices with an even number have three buttons.
    devices: ['7A0000:000002', '7A0000:000004'],
    command: [process.execPath, TURBO_SIM, ...way.args(shop), ...names, '--refresh', String(REFRESH_MS), '--hands'],
    reboot: async (program) => void (await program.do('restart', ['SIM-PROGRAM starts anew'])),
  });
}

/** Starts the Python turbo. Its devices keep their state in a file, so the program can be killed at any time. */
export async function openPython(shop: TurboShop, way: Way): Promise<TurboUnderTest> {
  const memory = ['--state', join(shop.folder, 'devices.json'), '--refresh-ms', String(REFRESH_MS)];
  const names = ['--serial-number', 'PY-1', '--first', '7B0000:000001', '--devices', '2'];
  return openProgram(shop, way, {
    serialNumbers: ['PY-1', 'PY-1'],
    devices: ['7B0000:000001', '7B0000:000002'],
    command: ['python3', PYTHON_TURBO, ...way.args(shop), ...names, ...memory],
    async reboot(program) {
      await program.kill();
      program.start();
    },
  });
}

/** Starts boards. They keep their state in flash, so the power can fail at any time. */
export async function openBoards(shop: TurboShop, way: Way): Promise<TurboUnderTest> {
  const memory = ['--state', join(shop.folder, 'flash'), '--refresh-ms', String(REFRESH_MS)];
  const devices = [deviceIdOf(BOARDS[0]), deviceIdOf(BOARDS[1])] as const;
  return openProgram(
    shop,
    way,
    {
      serialNumbers: [`board-${devices[0]}`, `board-${devices[1]}`],
      devices,
      command: [
        process.execPath,
        BOARD_PROGRAM,
        ...way.args(shop),
        ...BOARDS.flatMap((board) => ['--board', board]),
        ...memory,
      ],
      async reboot(program) {
        await program.kill();
        program.start();
      },
    },
    BOARDS,
  );
}

async function openProgram(
  shop: TurboShop,
  way: Way,
  made: Pick<TurboUnderTest, 'serialNumbers' | 'devices'> & {
    command: readonly [string, ...string[]];
    reboot: (program: Program) => Promise<void>;
  },
  turbos: readonly string[] = ['turbo'],
): Promise<TurboUnderTest> {
  const { serialNumbers, devices, command, reboot } = made;
  const { cable } = way;
  const plugged = cable === undefined ? [] : await Promise.all(turbos.map((turbo) => plugCable(cable(shop, turbo))));
  for (const { ends } of plugged) await shop.ask('POST', '/api/turbo/links/', { path: ends[1] });
  // HTTP does not allow a colon in a user name.
  const name = `user-of-${serialNumbers[0]}`.replaceAll(':', '-');
  const user = await shop.ask<{ api_key: string }>('POST', '/api/api-users/', { name, scope: 'turbo' });
  const program = new Program([...command, '--user', name], user.api_key);
  program.start();
  // Send one line at a time, and do not cut the power before it is answered.
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  }
  return {
    serialNumbers,
    transport: cable === undefined ? 'network' : 'usb',
    devices,
    use: (hand, device) => inTurn(() => program.use(hand, device)),
    move: (device, isReachable) => Promise.resolve(program.move(device, isReachable)),
    reboot: () => inTurn(() => reboot(program)),
    async stop() {
      await program.kill();
      for (const each of plugged) await each.pull();
    },
  };
}
