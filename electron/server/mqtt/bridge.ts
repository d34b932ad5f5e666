import type { MqttStatus, TestMqtt } from '#shared/api/mqtt.ts';
import { type BrokerClient, BrokerFault } from '../ports/broker.ts';
import type { Ids, Timer } from '../ports.ts';
import type { CurrentSettings } from '../services/settings/index.ts';
import { type BridgeEvent, firstState, isOutageNew, next } from './bridgeState.ts';
import { createConnector, pauseAfter } from './connector.ts';
import { createExchanges } from './exchanges.ts';
import { beginLasting, type Lasting, type LastingParts, openLasting } from './lastingConnection.ts';
import { createMessageLog } from './messageLog.ts';
import { lookAround, testBroker, TwinFound } from './shortConnection.ts';
import { createVitals } from './vitals.ts';

/** Time in milliseconds until the next attempt after another station with the same id was found online. */
const TWIN_MS = 10_000;
/** Maximum time in milliseconds to wait for the broker to accept the last messages of a stopping station. */
const OFFLINE_MS = 2_000;

export type BridgeParts = Omit<LastingParts, 'vitals' | 'connector' | 'messages' | 'counted'> & {
  client: BrokerClient;
  settings: CurrentSettings;
  ids: Pick<Ids, 'bytes'>;
  listAlerts: Parameters<typeof createVitals>[0]['listAlerts'];
  batteryPercent: () => number;
  /**
   * Returns whether this mark belongs to a run of this station, current or past. If a run and the broker are killed at the same time, the
   * broker may still report that run as online.
   */
  isOwn: (instance: string) => boolean;
  /** Called when the connection is lost, when the first attempt after that fails, and when the station is connected. */
  onOutcome: (outcome: { error: string | null; status: null }) => void;
};

/**
 * Creates a bridge that keeps the station connected to its broker. Reconnects without limit, but stays offline while another station uses
 * its id.
 */
export function createBridge(parts: BridgeParts) {
  const { topics, clock, log, onOutcome } = parts;
  const messages = createMessageLog(clock);
  const connector = createConnector(parts);
  const exchanges = createExchanges();
  /** The current connection to the broker. */
  let serving: Lasting | undefined;
  const vitals = createVitals({ ...parts, changed: () => serving?.session.publishInfo() });
  const unsubscribe = parts.bus.subscribe({ commit: vitals.committed });
  const lastingParts = { ...parts, connector, messages, counted: exchanges.counted, vitals: vitals.current };
  let state = firstState(clock.now());
  let isStopped = false;
  let wake: () => void = () => undefined;

  const enter = (event: BridgeEvent): void => void (state = next(state, event));
  const isRunning = (): boolean => !isStopped;

  function leave(): void {
    const left = serving;
    serving = undefined;
    left?.session.stop();
  }

  /** Connects to the broker and serves the connection. Rejects with the fault that ends the connection. */
  async function serve(): Promise<never> {
    connector.tryNewest();
    enter({ kind: 'tried', at: clock.now() });
    try {
      const lasting = await exchanges.counted(async () => {
        const found = await lookAround({ ...parts, connector });
        const opened = await openLasting(lastingParts);
        serving = opened;
        await beginLasting(parts, opened, { found, isCurrent: () => serving === opened });
        return opened;
      });
      enter({ kind: 'connected', at: clock.now() });
      onOutcome({ error: null, status: null });
      return await lasting.ended;
    } finally {
      leave();
    }
  }

  /** Waits for `ms` milliseconds, or until the bridge stops. */
  function pause(ms: number): Promise<void> {
    let timer: Timer | undefined;
    return new Promise<void>((resolve) => {
      wake = resolve;
      timer = clock.setTimer(ms, resolve);
    }).finally(() => timer?.cancel());
  }

  async function run(): Promise<void> {
    while (isRunning()) {
      try {
        await serve();
      } catch (error) {
        if (isStopped) return;
        const fault = error instanceof BrokerFault ? error : new BrokerFault(String(error));
        if (!(error instanceof BrokerFault))
          log.error({ err: error }, 'the connection to the broker failed because of a defect');
        const isTwin = fault instanceof TwinFound;
        enter({ kind: 'failed', at: clock.now(), problem: fault.message, isRefusal: fault.isRefusal || isTwin });
        if (isOutageNew(state)) onOutcome({ error: fault.message, status: null });
        await pause(isTwin ? TWIN_MS : pauseAfter(fault, state.failures));
      }
    }
  }

  return {
    start: (): void => void run(),
    status: (): Pick<MqttStatus, 'state' | 'problem' | 'since' | 'protocol'> => ({
      state: state.kind,
      problem: state.problem,
      since: new Date(state.since).toISOString(),
      protocol: serving?.connection.protocol ?? null,
    }),
    messages: messages.list,
    /** Returns whether no exchange with the broker is in progress. */
    idle: exchanges.idle,
    /** Checks the broker by sending a message to this station over a separate connection. */
    test: (): Promise<TestMqtt> => exchanges.counted(() => testBroker({ ...parts, connector })),
    async stop(): Promise<void> {
      isStopped = true;
      connector.giveUp();
      wake();
      unsubscribe();
      vitals.stop();
      if (serving === undefined) return;
      const { connection } = serving;
      leave();
      async function publishOffline(): Promise<void> {
        await connection.publish(topics.availability, 'offline', { retain: true });
        await connection.close();
      }
      // Do not wait for a broker that hangs: it publishes the will, `offline`, once it notices the lost connection.
      await Promise.race([publishOffline(), pause(OFFLINE_MS)]);
      wake();
    },
  };
}

export type Bridge = ReturnType<typeof createBridge>;
