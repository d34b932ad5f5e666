import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** Number of runs to remember. */
const KEPT_INSTANCES = 10;

/** Reads and writes random ids that runs of this station have used to connect to the broker. */
export function mqttRows(db: Db) {
  const { meta } = statements(db);
  const instances = meta('mqtt_instances');
  const listInstances = (): string[] => (instances.getJson() ?? []) as string[];
  return {
    /** Lists the ids of the runs that connected most recently, newest first. */
    listInstances,
    addInstance: (instance: string): void =>
      instances.set(JSON.stringify([instance, ...listInstances()].slice(0, KEPT_INSTANCES))),
  };
}
