import type { BrokerQueue } from '../electron/server/services/callbacks/index.ts';
import type { FleetLedger, Owed } from './fleetLedger.ts';

type PublishCallback = Parameters<BrokerQueue['connected']>[0];

/** Published at once, each of another device, as a station does. */
const MAX_IN_FLIGHT = 64;

/** The callbacks that one station owes: the part of the bridge that the database of a station has otherwise. */
export function createFleetOutbox(ledger: Pick<FleetLedger, 'settle'>, waiting: Owed[]) {
  const inFlight = new Set<Owed>();
  const busy = new Set<string>();
  let publish: PublishCallback | undefined;

  function fill(): void {
    for (const owed of waiting) {
      if (publish === undefined || inFlight.size >= MAX_IN_FLIGHT) return;
      if (!busy.has(owed.device)) send(publish, owed);
    }
  }

  function send(by: PublishCallback, owed: Owed): void {
    inFlight.add(owed);
    busy.add(owed.device);
    void by({ family: 'device', payload: owed.payload, userProperties: { 'webhook-id': owed.id } }).then(
      (published) => {
        if (by !== publish) return;
        inFlight.delete(owed);
        busy.delete(owed.device);
        if (published === 'lost') return;
        if (published.error !== null) throw new Error(`The broker refused a callback: ${published.error}`);
        waiting.splice(waiting.indexOf(owed), 1);
        ledger.settle(owed.id);
        fill();
      },
    );
  }

  return {
    count: (): number => waiting.length,
    /** It is on disk. */
    offer(owed: Owed): void {
      waiting.push(owed);
      fill();
    },
    connected(by: PublishCallback): void {
      publish = by;
      fill();
    },
    disconnected(): void {
      publish = undefined;
      inFlight.clear();
      busy.clear();
    },
  };
}

export type FleetOutbox = ReturnType<typeof createFleetOutbox>;
