/** A process with the clients of many stations; `bench/fleetCrowd.ts` starts and stops it. */
import { randomBytes } from 'node:crypto';
import type { BrokerClient } from '../electron/server/brokerPort.ts';
import { createMqttClient } from '../electron/server/mqttClient.ts';
import { systemPorts } from '../electron/server/systemPorts.ts';
import { openLedger, type Owed } from './fleetLedger.ts';
import { createFleetOutbox } from './fleetOutbox.ts';
import { createFleetStation } from './fleetStation.ts';
import type { FleetTape } from './fleetTape.ts';

export type CrowdOptions = {
  brokerUrl: string;
  prefix: string;
  /** Number of the first station. */
  first: number;
  many: number;
  /** File of the callbacks that they owe. */
  ledger: string;
  tape: FleetTape;
  /** Milliseconds between two picks of a station. */
  everyMs: number;
  /** The first station picks only when it is asked to. */
  hasQuiet: boolean;
  /** Connects no more than this many stations a second at the start. */
  rampPerSecond: number;
};

export type CrowdOrder =
  | { kind: 'begin'; options: CrowdOptions }
  | { kind: 'pick' | 'rest' | 'light' | 'putOut' | 'stop' };

/** `published`: messages of this run that the broker took. `owed`: callbacks that it did not take yet. `lateMs`: the most that a pick came late. */
export type CrowdCounts = { connected: number; underWay: number; published: number; owed: number; lateMs: number };

const TELL_MS = 200;

function begin(options: CrowdOptions) {
  const { brokerUrl, prefix, first, many, tape, everyMs, hasQuiet, rampPerSecond } = options;
  const ledger = openLedger(options.ledger);
  const owed = Map.groupBy(ledger.listOwed(), ({ station }: Owed) => station);
  const booked = ledger.countBooked();
  const ports = systemPorts('warn', {});
  let published = 0;
  const client = counting(createMqttClient(), () => (published += 1));
  const mark = randomBytes(9).toString('base64url');
  const stations = Array.from({ length: many }, (_, index) => {
    const number = first + index;
    const outbox = createFleetOutbox(ledger, owed.get(number) ?? []);
    const picks = booked.get(number) ?? 0;
    return createFleetStation({ number, brokerUrl, prefix, mark, tape, ledger, outbox, client, ports, picks });
  });
  for (const [index, station] of stations.entries()) setTimeout(station.start, (index * 1_000) / rampPerSecond);
  const picking = hasQuiet ? stations.slice(1) : stations;
  let isPicking = false;
  let underWay = 0;
  let lateMs = 0;
  let round = 0;

  /** Picks again and again; the stations are spread over the time between two picks. */
  function startPicking(): void {
    isPicking = true;
    round += 1;
    const mine = round;
    const startedAt = performance.now();
    for (const [index, station] of picking.entries()) {
      const turn = (number: number): void => {
        const dueAt = startedAt + (index / picking.length + number) * everyMs;
        setTimeout(
          () => {
            if (!isPicking || mine !== round) return;
            lateMs = Math.max(lateMs, performance.now() - dueAt);
            underWay += 1;
            station.pick(() => (underWay -= 1));
            turn(number + 1);
          },
          Math.max(0, dueAt - performance.now()),
        );
      };
      turn(0);
    }
  }

  setInterval(() => {
    const counts: CrowdCounts = {
      connected: stations.filter((station) => station.isConnected()).length,
      underWay,
      published,
      owed: stations.reduce((sum, station) => sum + station.owed(), 0),
      lateMs,
    };
    lateMs = 0;
    process.send?.(counts);
  }, TELL_MS);

  return {
    pick: startPicking,
    rest: (): void => void (isPicking = false),
    light: (): void => stations[0]?.light(),
    putOut: (): void => stations[0]?.putOut(),
    async stop(): Promise<void> {
      await Promise.all(stations.map((station) => station.stop()));
      ledger.close();
      process.exit(0);
    },
  };
}

/** `taken`: called for each message that the broker acknowledged. */
function counting(client: BrokerClient, taken: () => void): BrokerClient {
  return {
    connect(...how) {
      const { ready, giveUp } = client.connect(...how);
      const counted = ready.then((connection) => ({
        ...connection,
        async publish(...message: Parameters<typeof connection.publish>) {
          const outcome = await connection.publish(...message);
          if (outcome.kind === 'taken') taken();
          return outcome;
        },
      }));
      return { ready: counted, giveUp };
    },
  };
}

let crowd: ReturnType<typeof begin> | undefined;
process.on('message', (order: CrowdOrder) => {
  if (order.kind === 'begin') crowd = begin(order.options);
  else void crowd?.[order.kind]();
});
// The process that started it has ended.
process.on('disconnect', () => process.exit(1));
