import type { Duplex } from 'node:stream';
import type {
  Clock,
  Log,
  SerialLinks,
  SerialLinkState,
  SerialPortInfo,
  SerialPorts,
  SerialStep,
  SerialWish,
  Timer,
} from '../../ports.ts';
import type { MessageTurns } from '../../scheduling/messageTurns.ts';
import { streamTransport } from '../frames/transports/stream.ts';
import type { Transport } from '../frames/transports/transport.ts';
import type { ConnectionWatch } from '../types.ts';

/** Interval in milliseconds between searches for a missing port. */
const LOOK_MS = 2_000;
/**
 * How long to wait for a hello before the turbo is reset and, after the same time again, the port is reopened. Turbos send a hello every
 * second.
 */
const HELLO_MS = 8_000;
/** Time to wait for another hello from a refused turbo, which sends one after 30 s. */
const REFUSED_MS = 45_000;
/** Delays before the port is reopened; the last delay repeats. */
const PAUSES_MS = [500, 2_000, 5_000, 10_000, 30_000] as const;

/**
 * Keeps the wanted serial ports open. If nothing answers, escalates: waits, resets the turbo, reopens the port, reports a failure, and
 * keeps retrying.
 */
export function createSerialLinks(parts: {
  ports: SerialPorts;
  clock: Clock;
  log: Log;
  /** Uses the transport until it closes. Returns a function that closes it. */
  attach: (transport: Transport, watch: ConnectionWatch) => () => void;
  /** The turns in which ports are read. */
  turns?: MessageTurns;
}): SerialLinks {
  const links = new Map<string, SerialLink>();
  let watcher = (): void => undefined;
  const changed = (): void => watcher();
  return {
    set(wishes) {
      const wanted = new Map(wishes.map((wish) => [wish.id, wish]));
      for (const [id, link] of links) {
        const wish = wanted.get(id);
        if (wish !== undefined && link.isFor(wish)) continue;
        link.stop();
        links.delete(id);
      }
      for (const wish of wishes) {
        if (links.has(wish.id)) continue;
        const link = new SerialLink(
          wish,
          { ...parts, changed },
          () => new Set([...links.values()].map(({ openPath }) => openPath)),
        );
        links.set(wish.id, link);
        link.look();
      }
      changed();
    },
    states: () => [...links.values()].map((link) => link.state()),
    watch(heard) {
      watcher = heard;
    },
    retry: (id) => links.get(id)?.retry(),
    stop() {
      for (const link of links.values()) link.stop();
      links.clear();
    },
  };
}

type LinkParts = Parameters<typeof createSerialLinks>[0] & { changed: () => void };

class SerialLink {
  private readonly wish: SerialWish;
  private readonly parts: LinkParts;
  /** Returns the paths of all ports that links have open. */
  private readonly taken: () => Set<string | undefined>;
  private path: string;
  private step: SerialStep = 'absent';
  private problem: string | undefined;
  private attempts = 0;
  /** The last failure that was logged since a turbo was online. The same failure is not logged again. */
  private logged: string | undefined;
  private nextTryAt: number | undefined;
  private timer: Timer | undefined;
  private detach: (() => void) | undefined;
  private stopped = false;
  /** Number of the current attempt. Results of earlier attempts are ignored. */
  private turn = 0;
  openPath: string | undefined;

  constructor(wish: SerialWish, parts: LinkParts, taken: () => Set<string | undefined>) {
    this.wish = wish;
    this.parts = parts;
    this.taken = taken;
    this.path = wish.path;
  }

  isFor(wish: SerialWish): boolean {
    return JSON.stringify(wish) === JSON.stringify(this.wish);
  }

  state(): SerialLinkState {
    const { path, step, problem, attempts, nextTryAt } = this;
    return { id: this.wish.id, path, step, problem, attempts, nextTryAt };
  }

  stop(): void {
    this.stopped = true;
    this.leave();
  }

  /** Retries now, without waiting for the next attempt. */
  retry(): void {
    if (this.step === 'online' || this.step === 'opening') return;
    this.leave();
    this.look();
  }

  look(): void {
    const turn = this.begin();
    void this.parts.ports.list().then((ports) => {
      if (turn !== this.turn) return;
      const found = findPort(this.wish, ports, this.taken());
      if (found !== undefined) return this.openAt(found);
      this.attempts = 0;
      this.become('absent', `${this.path} is not plugged in.`);
      this.wait(LOOK_MS, () => this.look());
    });
  }

  private openAt(path: string): void {
    const { ports } = this.parts;
    const { baudRate, flowControl } = this.wish;
    const turn = this.begin();
    this.path = path;
    this.openPath = path;
    this.become('opening', this.problem);
    ports.open({ path, baudRate, flowControl }).then(
      (stream) => {
        if (turn === this.turn) this.listen(stream);
        else stream.destroy();
      },
      (error: unknown) => {
        if (turn === this.turn) this.failed(`${path} cannot be opened: ${reasonOf(error)}`);
      },
    );
  }

  private listen(stream: Duplex): void {
    const { clock, attach, turns } = this.parts;
    const turn = this.begin();
    this.become('listening', this.problem);
    const transport = streamTransport(stream, { clock, kind: 'usb', port: this.path, turns });
    this.detach = attach(transport, {
      online: () => {
        if (turn !== this.turn) return;
        this.timer?.cancel();
        this.attempts = 0;
        this.logged = undefined;
        this.become('online', undefined);
      },
      refused: (problem) => {
        if (turn !== this.turn) return;
        this.become('listening', problem);
        this.wait(REFUSED_MS, () => this.failed(problem));
      },
      closed: (reason) => {
        if (turn === this.turn) this.failed(`The link on ${this.path} ended: ${reason}`);
      },
    });
    this.wait(HELLO_MS, () => void this.reset(stream));
  }

  /** Resets a turbo that has not sent a hello. */
  private async reset(stream: Duplex): Promise<void> {
    const { turn } = this;
    this.become('resetting', `No turbo answers on ${this.path}.`);
    this.wait(HELLO_MS, () => this.failed(`No turbo answers on ${this.path}, not even after a reset.`));
    try {
      await this.parts.ports.reset(stream);
    } catch (error) {
      if (turn === this.turn) this.parts.log.info({ err: error, port: this.path }, 'A turbo could not be reset');
    }
  }

  private failed(problem: string): void {
    this.leave();
    if (this.stopped) return;
    const pause = PAUSES_MS[Math.min(this.attempts, PAUSES_MS.length - 1)] ?? 0;
    this.attempts += 1;
    // Retry indefinitely, but do not log the same problem repeatedly.
    if (problem !== this.logged) this.parts.log.warn({ port: this.path }, problem);
    this.logged = problem;
    this.nextTryAt = this.parts.clock.now() + pause;
    this.become('waiting', problem);
    this.wait(pause, () => this.look());
  }

  /** Closes the open port, and ignores results of earlier attempts. */
  private leave(): void {
    this.begin();
    this.openPath = undefined;
    const { detach } = this;
    this.detach = undefined;
    detach?.();
  }

  private begin(): number {
    this.timer?.cancel();
    this.timer = undefined;
    this.nextTryAt = undefined;
    this.turn += 1;
    return this.turn;
  }

  private become(step: SerialStep, problem: string | undefined): void {
    if (this.step === step && this.problem === problem) return;
    this.step = step;
    this.problem = problem;
    this.parts.changed();
  }

  private wait(delayMs: number, then: () => void): void {
    this.timer?.cancel();
    this.timer = this.parts.clock.setTimer(delayMs, then);
  }
}

/**
 * Finds the wanted port by its identity or, without an identity, by its path. If several ports match, prefers the one at the configured
 * path.
 */
function findPort(
  { identity, path }: SerialWish,
  ports: readonly SerialPortInfo[],
  taken: Set<string | undefined>,
): string | undefined {
  const free = ports.filter((port) => !taken.has(port.path));
  if (identity === null) return taken.has(path) ? undefined : path;
  const like = free.filter(
    (port) =>
      port.vendorId === identity.vendorId &&
      port.productId === identity.productId &&
      port.serialNumber === identity.serialNumber,
  );
  return (like.find((port) => port.path === path) ?? like[0])?.path;
}

/** Returns the error message without the error type that the bindings add. */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/^Error: /, '');
}
