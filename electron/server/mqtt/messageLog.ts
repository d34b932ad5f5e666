import type { MqttLogEntry } from '#shared/api/mqtt.ts';
import type { Clock } from '../ports.ts';

const KEPT = 200;
const MAX_CHARACTERS = 500;

/** The last messages to and from the broker, in memory, for people. */
export function createMessageLog(clock: Pick<Clock, 'now'>) {
  const entries: MqttLogEntry[] = [];
  return {
    add(message: {
      direction: MqttLogEntry['direction'];
      topic: string;
      payload: string;
      retained: boolean;
      problem: string | null;
    }): void {
      const { payload } = message;
      entries.push({
        ...message,
        at: new Date(clock.now()).toISOString(),
        payload: payload.slice(0, MAX_CHARACTERS),
        bytes: Buffer.byteLength(payload),
      });
      if (entries.length > KEPT) entries.shift();
    },
    /** Newest first. */
    list: (): MqttLogEntry[] => entries.toReversed(),
  };
}
