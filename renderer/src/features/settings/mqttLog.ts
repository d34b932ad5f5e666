import type { MqttLogEntry } from '#shared/api/mqtt.ts';

/** A message with a key that stays the same while messages are added and removed. */
export type KeyedMessage = MqttLogEntry & { key: string };

/**
 * Adds keys to messages, which are listed newest first. Equal messages within one millisecond are numbered from the
 * oldest.
 */
export function withKeys(log: readonly MqttLogEntry[]): KeyedMessage[] {
  const seen = new Map<string, number>();
  return log
    .toReversed()
    .map((entry) => {
      const same = `${entry.at} ${entry.direction} ${entry.topic}`;
      const count = (seen.get(same) ?? 0) + 1;
      seen.set(same, count);
      return { ...entry, key: `${same} ${count}` };
    })
    .toReversed();
}

/** Returns the messages that contain each word of the search in their topic, content or problem. */
export function findMessages(log: readonly KeyedMessage[], search: string): readonly KeyedMessage[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return log;
  return log.filter(({ topic, payload, problem }) => {
    const text = `${topic} ${payload} ${problem ?? ''}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Formats messages as text, one per line, with tabs between time, direction, topic, content and problem. */
export function copiedLines(log: readonly MqttLogEntry[]): string {
  return log
    .map(({ at, direction, topic, payload, problem }) =>
      [at, direction, topic, payload, problem ?? '']
        .map((part) => part.replaceAll(/\s+/g, ' '))
        .join('\t')
        .trimEnd(),
    )
    .join('\n');
}
