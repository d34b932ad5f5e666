import { readFileSync } from 'node:fs';
import { connectAsync } from 'mqtt';

/** Bytes of memory of a process, with its share of what several use (Linux' PSS). */
export function proportionalBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN) * 1_024;
}

/** Totals that mosquitto itself publishes. Its own count of received publications leaves out retained ones. */
const TOTALS = {
  packetsIn: '$SYS/broker/messages/received',
  packetsOut: '$SYS/broker/messages/sent',
  dropped: '$SYS/broker/publish/messages/dropped',
  bytesIn: '$SYS/broker/bytes/received',
  bytesOut: '$SYS/broker/bytes/sent',
  retained: '$SYS/broker/retained messages/count',
} as const;

export type BrokerTotals = Record<keyof typeof TOTALS, number>;

/** Reads the totals of mosquitto, which it publishes every `sys_interval` seconds. */
export async function watchTotals(brokerUrl: string) {
  const latest = new Map<string, number>();
  const client = await connectAsync(brokerUrl, { protocolVersion: 5, reconnectPeriod: 200 });
  client.on('error', () => undefined);
  client.on('message', (topic, payload) => void latest.set(topic, Number(payload.toString('utf8'))));
  await client.subscribeAsync(Object.values(TOTALS));
  return {
    read: (): BrokerTotals =>
      Object.fromEntries(
        Object.entries(TOTALS).map(([name, topic]) => [name, latest.get(topic) ?? Number.NaN]),
      ) as BrokerTotals,
    close: () => client.endAsync(true),
  };
}

/** The part of the values, sorted, that is below; NaN without values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
