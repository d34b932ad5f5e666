import type { CommandEntry } from '#shared/api/device.ts';
import { texts } from '../ui/texts.ts';
import { orderAddress, sequenceAddress } from './addresses.ts';

/** What lit a command, where it was an order or a sequence. */
export type Origin = Pick<CommandEntry, 'order_number' | 'sequenceid'>;

/** The order or sequence that lit it; empty where none did. */
export function originWords({ order_number: order, sequenceid }: Origin): string {
  if (order !== null) return texts.work.order(order);
  return sequenceid === null ? '' : texts.work.sequence(sequenceid);
}

/** Where that is looked at. */
export function originAddress({ order_number: order, sequenceid }: Origin): string {
  return order === null ? sequenceAddress(sequenceid ?? '') : orderAddress(order);
}
