import type { Log } from '../ports.ts';
import { listenForTurbos, type NetworkOptions, type TurboListener } from './transports/network.ts';

const THIS_MACHINE = '127.0.0.1';
/** Every address there is, of both families; of IPv4 alone, where a machine has no other. */
const ANYWHERE = '::';
const ANYWHERE_IPV4 = '0.0.0.0';

type Key = { cert: string; key: string };

/** Where turbos connect by TCP: at the addresses of the station, with its certificate, at a port beside its own. */
export type TurboPort = {
  /** Opens it, where it is wanted at all. Throws a sentence that says why it cannot. */
  start(): Promise<void>;
  /** Listens where the station does by now. */
  follow(): Promise<void>;
  /** Why it could not; empty: it could. */
  failure(): string;
  /** The station shows another certificate: so does this, from the next connection on. */
  renew(): void;
  /** Undefined: turbos do not come by TCP. */
  port(): number | undefined;
  stop(): Promise<void>;
};

export function createTurboPort(parts: {
  /** 0: a free one. Undefined: none. */
  wanted: number | undefined;
  /** Where it listens is an argument, which nothing but another start changes. */
  isFixed: boolean;
  host: () => string;
  key: () => Key | undefined;
  network: NetworkOptions;
  log: Log;
}): TurboPort {
  const { wanted, isFixed, host, key, network, log } = parts;
  let current: { listener: TurboListener; host: string } | undefined;
  let failure = '';
  /** Listen no more; those who are connected stay. */
  const retired = new Set<TurboListener>();
  let following: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function open(at: string, port: number): Promise<void> {
    try {
      current = { listener: await listen(at, port), host: at };
    } catch (error) {
      throw new Error(`Turbos cannot connect by TCP on port ${port} (${wordsOf(error)}). Check --turbo-port.`, {
        cause: error,
      });
    }
  }

  async function listen(at: string, port: number): Promise<TurboListener> {
    try {
      return await listenForTurbos({ host: at, port, tls: key() }, network);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (at !== ANYWHERE || (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL')) throw error;
      return listenForTurbos({ host: ANYWHERE_IPV4, port, tls: key() }, network);
    }
  }

  /** Both at once would be two programs at one port. Where there are more ways in than before, nobody is sent away. */
  async function leave(listener: TurboListener): Promise<void> {
    if (host() === THIS_MACHINE) return listener.stop();
    retired.add(listener);
    void listener.retire().then(() => retired.delete(listener));
  }

  async function followNow(): Promise<void> {
    if (isStopped || current === undefined) return;
    failure = '';
    const { host: had, listener } = current;
    if (had === host()) return;
    current = undefined;
    await leave(listener);
    try {
      await open(host(), listener.port);
    } catch (error) {
      failure = wordsOf(error);
      await open(had, listener.port);
    }
  }

  return {
    async start() {
      if (wanted === undefined) return;
      try {
        await open(host(), wanted);
      } catch (error) {
        // A setting must not keep the station from starting: who set it must still reach it to set it back.
        if (isFixed || host() === THIS_MACHINE) throw error;
        failure = wordsOf(error);
        log.warn({}, failure);
        await open(THIS_MACHINE, wanted);
      }
    },
    follow() {
      following = followNow();
      return following;
    },
    failure: () => failure,
    renew() {
      const shown = key();
      if (shown !== undefined) current?.listener.renew(shown);
    },
    port: () => current?.listener.port,
    async stop() {
      isStopped = true;
      await following.catch(() => undefined);
      await Promise.all([...retired, ...(current === undefined ? [] : [current.listener])].map((one) => one.stop()));
    },
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
