import type { MqttLogEntry } from '#shared/api/mqtt.ts';
import type { Clock } from '../ports.ts';

const KEPT = 200;
const MAX_CHARACTERS = 500;

type Message = Pick<MqttLogEntry, 'direction' | 'topic' | 'payload' | 'retained' | 'problem'>;

/** Creates a log that keeps the most recent messages to and from the broker in memory, for display. */
export function createMessageLog(clock: Pick<Clock, 'now'>) {
  const kept: (Message & { atMs: number; bytes: number | undefined })[] = [];
  return {
    /** Adds a message. Does as little work as possible, because nobody reads most messages. */
    add(message: Message): void {
      const { payload } = message;
      const isShort = payload.length <= MAX_CHARACTERS;
      kept.push({
        ...message,
        atMs: clock.now(),
        payload: isShort ? payload : payload.slice(0, MAX_CHARACTERS),
        bytes: isShort ? undefined : Buffer.byteLength(payload),
      });
      if (kept.length > KEPT) kept.shift();
    },
    /** Returns the messages, newest first. */
    list: (): MqttLogEntry[] =>
      kept.toReversed().map(({ atMs, bytes, ...message }) => ({
        ...message,
        at: new Date(atMs).toISOString(),
        bytes: bytes ?? Buffer.byteLength(message.payload),
      })),
  };
}

export type MessageLog = ReturnType<typeof createMessageLog>;
