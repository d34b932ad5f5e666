import type { Clock, LinkMemory, Log, NetworkLinks, NetworkLinkState, NetworkWish, Timer } from '../../ports.ts';
import type { TurboConnection, ConnectionHost, ConnectionWatch, Controller, ControllerParts } from '../types.ts';

/** Delays before the next attempt; the last delay repeats. */
const PAUSES_MS = [500, 2_000, 5_000, 10_000, 30_000] as const;

const NO_MEMORY: LinkMemory = { load: () => new Map(), save: () => undefined };

/** Keeps connections to the wanted addresses. Retries without limit, with increasing pauses. */
export function createNetworkLinks(parts: {
  clock: Clock;
  log: Log;
  create: (parts: ControllerParts) => Controller;
  /** Connects a link to the station until it closes. Returns a function that closes it. */
  join: (connect: (host: ConnectionHost) => TurboConnection, watch: ConnectionWatch) => () => void;
}): NetworkLinks {
  const links = new Map<string, NetworkLink>();
  let watcher = (): void => undefined;
  let memoryOf = (_id: string): LinkMemory => NO_MEMORY;
  const changed = (): void => watcher();
  const bearerOf = (serial: string): NetworkLink | undefined =>
    [...links.values()].find((link) => link.state().turbo === serial);
  return {
    rememberIn(found) {
      memoryOf = found;
    },
    set(wishes) {
      const wanted = new Map(wishes.map((wish) => [wish.id, wish]));
      for (const [id, link] of links) {
        const wish = wanted.get(id);
        if (wish !== undefined && link.takes(wish)) continue;
        link.stop();
        links.delete(id);
      }
      for (const wish of wishes) {
        if (links.has(wish.id)) continue;
        const link = new NetworkLink(wish, { ...parts, changed, bearerOf, memory: memoryOf(wish.id) });
        links.set(wish.id, link);
        link.open();
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

type LinkParts = Parameters<typeof createNetworkLinks>[0] & {
  changed: () => void;
  memory: LinkMemory;
  /** Finds the link whose turbo has this serial number. */
  bearerOf: (serialNumber: string) => NetworkLink | undefined;
};

class NetworkLink {
  private wish: NetworkWish;
  private readonly parts: LinkParts;
  private readonly controller: Controller;
  private step: NetworkLinkState['step'] = 'opening';
  private problem: string | undefined;
  private attempts = 0;
  private nextTryAt: number | undefined;
  private turbo: string | undefined;
  private timer: Timer | undefined;
  private leave: (() => void) | undefined;
  private isStopped = false;

  constructor(wish: NetworkWish, parts: LinkParts) {
    this.wish = wish;
    this.parts = parts;
    const { changed, memory } = parts;
    this.controller = parts.create({ wish, claim: (serial) => this.claim(serial), changed, memory });
  }

  /** Applies changed settings of the link. Returns false if the address, kind or key differs, because this requires a new link. */
  takes(wish: NetworkWish): boolean {
    if (wish.url !== this.wish.url || wish.kind !== this.wish.kind || wish.key !== this.wish.key) return false;
    if (JSON.stringify(wish) !== JSON.stringify(this.wish)) this.controller.change(wish);
    this.wish = wish;
    return true;
  }

  state(): NetworkLinkState {
    const { step, problem, attempts, nextTryAt, turbo } = this;
    return { id: this.wish.id, step, problem, attempts, nextTryAt, turbo, problems: this.controller.problems() };
  }

  open(): void {
    this.become('opening', this.problem);
    const watch: ConnectionWatch = {
      online: () => {
        this.attempts = 0;
        this.become('online', undefined);
      },
      refused: (problem) => this.become('opening', problem),
      closed: (reason) => this.failed(reason),
    };
    this.leave = this.parts.join((host) => this.controller.connect(host), watch);
  }

  /** Retries now, without waiting for the next attempt. */
  retry(): void {
    if (this.step !== 'waiting') return;
    this.timer?.cancel();
    this.nextTryAt = undefined;
    this.open();
  }

  stop(): void {
    this.isStopped = true;
    this.timer?.cancel();
    this.leave?.();
  }

  private claim(serial: string): string | undefined {
    const other = this.parts.bearerOf(serial);
    if (other !== undefined && other !== this) {
      return `${this.wish.url} is the same controller as ${other.wish.url}, which is already connected. Remove one of the two.`;
    }
    this.turbo = serial;
    return undefined;
  }

  private failed(problem: string): void {
    this.leave = undefined;
    if (this.isStopped) return;
    const pause = PAUSES_MS[Math.min(this.attempts, PAUSES_MS.length - 1)] ?? 0;
    this.attempts += 1;
    if (problem !== this.problem) this.parts.log.warn({ link: this.wish.url }, problem);
    this.nextTryAt = this.parts.clock.now() + pause;
    this.become('waiting', problem);
    this.timer = this.parts.clock.setTimer(pause, () => {
      this.nextTryAt = undefined;
      this.open();
    });
  }

  private become(step: NetworkLinkState['step'], problem: string | undefined): void {
    this.step = step;
    this.problem = problem;
    this.parts.changed();
  }
}
