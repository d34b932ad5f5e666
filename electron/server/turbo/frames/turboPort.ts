import type { Log } from '../../ports.ts';
import { listenForTurbos, type NetworkOptions, type TurboListener } from './transports/network.ts';

const THIS_MACHINE = '127.0.0.1';
/** Addresses for listening on all interfaces: over IPv4 and IPv6, or only over IPv4 if the machine has no IPv6. */
const ANYWHERE = '::';
const ANYWHERE_IPV4 = '0.0.0.0';

type Key = { cert: string; key: string };

/** Listens for turbos on a TCP port, at the addresses of the station and with its certificate. */
export function createTurboPort(parts: {
  /** Port to listen on: 0 for a free port, undefined for none. */
  wanted: number | undefined;
  /** Whether the address comes from a command-line argument, which only a restart can change. */
  isFixed: boolean;
  host: () => string;
  key: () => Key | undefined;
  network: NetworkOptions;
  log: Log;
}) {
  const { wanted, isFixed, host, key, network, log } = parts;
  let current: { listener: TurboListener; host: string } | undefined;
  /** Number of the port once it has been opened. Does not change afterwards. */
  let opened: number | undefined;
  let failure = '';
  /** Listeners that no longer listen but still have open connections. */
  const retired = new Set<TurboListener>();
  let following: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function open(at: string, port: number): Promise<void> {
    try {
      current = { listener: await listen(at, port), host: at };
      opened = current.listener.port;
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

  /** Stops listening, because the port cannot be opened twice. Keeps the connections, unless only this machine can connect from now on. */
  async function leave(listener: TurboListener): Promise<void> {
    if (host() === THIS_MACHINE) return listener.stop();
    retired.add(listener);
    void listener.retire().then(() => retired.delete(listener));
  }

  async function followNow(): Promise<void> {
    if (isStopped || opened === undefined) return;
    failure = '';
    const had = current;
    if (had?.host === host()) return;
    current = undefined;
    if (had !== undefined) await leave(had.listener);
    for (const at of new Set([host(), had?.host ?? THIS_MACHINE])) {
      try {
        return await open(at, opened);
      } catch (error) {
        failure ||= wordsOf(error);
        log.warn({}, wordsOf(error));
      }
    }
  }

  return {
    /**
     * Opens the port, if configured. If the address from the settings cannot be opened, listens on this machine only. Throws an Error for
     * the user if no address can be opened.
     */
    async start(): Promise<void> {
      if (wanted === undefined) return;
      try {
        await open(host(), wanted);
      } catch (error) {
        // A wrong setting must not prevent the start, because it can be changed only while the station is running.
        if (isFixed || host() === THIS_MACHINE) throw error;
        failure = wordsOf(error);
        log.warn({}, failure);
        await open(THIS_MACHINE, wanted);
      }
    },
    /** Updates the listener to the station's current address. */
    follow(): Promise<void> {
      following = followNow();
      return following;
    },
    /** Returns why the station does not listen on its current address, or an empty text if it does. */
    failure: (): string => failure,
    /** Uses the station's new certificate for new connections. */
    renew(): void {
      const shown = key();
      if (shown !== undefined) current?.listener.renew(shown);
    },
    /** Returns the open TCP port, or undefined if none is open. */
    port: (): number | undefined => current?.listener.port,
    async stop(): Promise<void> {
      isStopped = true;
      await following.catch(() => undefined);
      await Promise.all([...retired, ...(current === undefined ? [] : [current.listener])].map((one) => one.stop()));
    },
  };
}

export type TurboPort = ReturnType<typeof createTurboPort>;

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
