import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { plugCable } from './cable.ts';
import type { Hand, TurboUnderTest } from './turboContract.ts';
import type { TurboShop } from './turboShop.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const PYTHON_TURBO = join(ROOT, 'docs', 'examples', 'turbo.py');
const TURBO_SIM = join(ROOT, 'electron', 'turboSim', 'main.ts');
const REFRESH_MS = 50;

/** How a program says that a device has taken what hands did. */
const TAKEN: Record<Hand, string> = { press: 'front of', hold: 'front of', plus: 'plus of', minus: 'minus of' };
const REFUSED = 'is full and refuses the press';

/** A turbo as a program: what hands do is a line on its standard input. */
class Program {
  private child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
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
    child.stdin.on('error', () => undefined); // killed with a line on its way
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.child = child;
  }

  /** The power goes. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    this.child = undefined;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** Writes a line, and answers which of these it said to it. */
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
  /** Arguments that bring it to the station. */
  args: (shop: TurboShop) => string[];
  /** Unless it is a cable, whose ends have these names. */
  cable?: (shop: TurboShop) => [string, string];
};

const ends = ({ folder }: TurboShop): [string, string] => [
  join(folder, 'end-of-turbo'),
  join(folder, 'end-of-station'),
];
const trust = ({ ca }: TurboShop, ...more: string[]): string[] => (ca === undefined ? [] : ['--ca', ca, ...more]);
const cable: Way = { args: (shop) => ['--serial', ends(shop)[0]], cable: ends };

/** The simulated turbo as a program. */
export const SIM_WAYS = {
  'a WebSocket': {
    args: (shop) => ['--connect', `ws${shop.ca === undefined ? '' : 's'}://${shop.http}/turbo/`, ...trust(shop)],
  },
  TCP: { args: (shop) => ['--connect', `${shop.ca === undefined ? 'tcp' : 'tls'}://${shop.tcp}`, ...trust(shop)] },
  'a pseudo-terminal': cable,
} satisfies Record<string, Way>;

/** The one in Python, which was written after the page of the protocol. */
export const PYTHON_WAYS = {
  TCP: { args: (shop) => ['--tcp', shop.tcp, ...trust(shop, '--tls')] },
  'a pseudo-terminal': cable,
} satisfies Record<string, Way>;

/** Its devices end with it, as the program is one: what is switched off and on is the turbo alone. */
export async function openSim(shop: TurboShop, way: Way): Promise<TurboUnderTest> {
  const names = ['--serial-number', 'SIM-PROGRAM', '--first-id', '7A0000:000001', '--devices', '4'];
  return openProgram(shop, way, {
    serialNumber: 'SIM-PROGRAM',
    // The even ones have three buttons.
    devices: ['7A0000:000002', '7A0000:000004'],
    command: [process.execPath, TURBO_SIM, ...way.args(shop), ...names, '--refresh', String(REFRESH_MS), '--hands'],
    reboot: async (program) => void (await program.do('restart', ['SIM-PROGRAM starts anew'])),
  });
}

/** What its devices keep is in a file, so it may be killed at any time. */
export async function openPython(shop: TurboShop, way: Way): Promise<TurboUnderTest> {
  const memory = ['--state', join(shop.folder, 'devices.json'), '--refresh-ms', String(REFRESH_MS)];
  const names = ['--serial-number', 'PY-1', '--first', '7B0000:000001', '--devices', '2'];
  return openProgram(shop, way, {
    serialNumber: 'PY-1',
    devices: ['7B0000:000001', '7B0000:000002'],
    command: ['python3', PYTHON_TURBO, ...way.args(shop), ...names, ...memory],
    async reboot(program) {
      await program.kill();
      program.start();
    },
  });
}

async function openProgram(
  shop: TurboShop,
  way: Way,
  made: Pick<TurboUnderTest, 'serialNumber' | 'devices'> & {
    command: readonly [string, ...string[]];
    reboot: (program: Program) => Promise<void>;
  },
): Promise<TurboUnderTest> {
  const { serialNumber, devices, command, reboot } = made;
  const plugged = way.cable && (await plugCable(way.cable(shop)));
  if (plugged !== undefined) await shop.ask('POST', '/api/turbo/links/', { path: plugged.ends[1] });
  const user = await shop.ask<{ api_key: string }>('POST', '/api/api-users/', { name: 'turbo-1', scope: 'turbo' });
  const program = new Program([...command, '--user', 'turbo-1'], user.api_key);
  program.start();
  return {
    serialNumber,
    transport: plugged === undefined ? 'network' : 'usb',
    devices,
    use: (hand, device) => program.use(hand, device),
    move: (device, isReachable) => Promise.resolve(program.move(device, isReachable)),
    reboot: () => reboot(program),
    async stop() {
      await program.kill();
      await plugged?.pull();
    },
  };
}
