import { useCallback } from 'react';
import { useLocation } from 'wouter';
import type { CommandEntry } from '#shared/api/device.ts';
import * as texts from '../words/texts.ts';

/** The address of the import. It takes the place of an order with this number. */
export const ORDER_IMPORT = '/orders/import';

/** The page of one order. */
export function orderAddress(orderNumber: string): string {
  const address = `/orders/${encodeURIComponent(orderNumber)}`;
  return address === ORDER_IMPORT ? '/orders/%69mport' : address;
}

/** The paper of one order. */
export function orderPrintAddress(orderNumber: string): string {
  return `${orderAddress(orderNumber)}/print`;
}

/** The page of one sequence. */
export function sequenceAddress(sequenceId: string): string {
  return `/sequences/${encodeURIComponent(sequenceId)}`;
}

/** The map, with the devices that work for this order or sequence. */
export function mapAddress(name: string): string {
  return `/?find=${encodeURIComponent(name)}`;
}

/** The history of this order since it was created. */
export function orderHistoryAddress(orderNumber: string): string {
  return `/history?range=all&order=${encodeURIComponent(orderNumber)}`;
}

/** The history of this sequence since it was created. */
export function sequenceHistoryAddress(sequenceId: string): string {
  return `/history?range=all&sequence=${encodeURIComponent(sequenceId)}`;
}

/** The part of the address after the page, such as an order number; undefined if there is none. */
export function useRouteId(): string | undefined {
  // Do not use the router's path: it is partly decoded, so `%252F` and `%2F` would be the same.
  useLocation();
  const [, , named = ''] = window.location.pathname.split('/');
  if (named === '') return undefined;
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}

/** What lit a command, where it was an order or a sequence. */
export type CommandOrigin = Pick<CommandEntry, 'order_number' | 'sequenceid'>;

/** The order or sequence that lit it; empty where none did. */
export function originWords({ order_number: order, sequenceid }: CommandOrigin): string {
  if (order !== null) return texts.work.order(order);
  return sequenceid === null ? '' : texts.work.sequence(sequenceid);
}

/** Where that is looked at. */
export function originAddress({ order_number: order, sequenceid }: CommandOrigin): string {
  return order === null ? sequenceAddress(sequenceid ?? '') : orderAddress(order);
}

const PATH = /^\/devices\/([0-9A-F]{6}:[0-9A-F]{6})\/?$/i;

/** The address of a device's panel. */
export function deviceAddress(deviceid: string): string {
  return `/devices/${deviceid}`;
}

/** Which device the address bar names, if any; selecting writes it there, so that links, reload and "back" work. */
export function useSelection(): { selected: string | undefined; select(deviceid: string | undefined): void } {
  const [path, navigate] = useLocation();
  const selected = PATH.exec(decodeURI(path))?.[1]?.toUpperCase();
  const select = useCallback(
    // The zone that is shown stays.
    (deviceid: string | undefined) =>
      navigate(`${deviceid === undefined ? '/' : deviceAddress(deviceid)}${window.location.search}`),
    [navigate],
  );
  return { selected, select };
}
