import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** The answer to a command over MQTT. `status`: null until it is known. `answer`: JSON. */
type MqttCommandRow = { status: number | null; answer: string | null };

/** Old rows deleted at once. */
const PRUNED_AT_ONCE = 1_000;

/** Runs that the station remembers as its own. */
const KEPT_INSTANCES = 10;

/** Commands over MQTT of the last day, so that a repetition does nothing, and how this station was called at the broker. */
export function mqttRows(db: Db) {
  const { find, meta, run } = statements(db);
  const instances = meta('mqtt_instances');
  const insert = run<[key: string, at: number]>('INSERT OR REPLACE INTO mqtt_commands (key, at) VALUES (?, ?)');
  const finish = run<[status: number, answer: string, key: string]>(
    'UPDATE mqtt_commands SET status = ?, answer = ? WHERE key = ?',
  );
  // Only this program writes it.
  const listInstances = (): string[] => JSON.parse(instances.get() ?? '[]') as string[];
  return {
    /** The marks of the last runs that connected, newest first. */
    listInstances,
    addInstance: (instance: string): void =>
      instances.set(JSON.stringify([instance, ...listInstances()].slice(0, KEPT_INSTANCES))),
    /** Undefined: none since `since`, epoch milliseconds. */
    findCommand: find<[key: string, since: number], MqttCommandRow>(
      'SELECT status, answer FROM mqtt_commands WHERE key = ? AND at >= ?',
    ),
    insertCommand: (key: string, at: number): void => insert(key, at),
    finishCommand: (key: string, { status, answer }: { status: number; answer: string }): void =>
      finish(status, answer, key),
    removeCommandsBefore: run<[at: number]>(
      `DELETE FROM mqtt_commands WHERE key IN (SELECT key FROM mqtt_commands WHERE at < ? ORDER BY at LIMIT ${PRUNED_AT_ONCE})`,
    ),
  };
}
