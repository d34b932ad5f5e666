import { useCallback, useEffect } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { CommandEntry } from '#shared/api/device.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import { pageAddress, type PageId, routeId } from '#shared/lib/station/pageRoutes.ts';
import * as texts from '../words/texts.ts';

/** Kinds of files that the import page handles, by their names in the address. */
export const IMPORTS = ['orders', 'articles', 'places'] as const;
export type ImportWhat = (typeof IMPORTS)[number];

/** Returns the address of the page that imports files of this kind. */
export function importAddress(what: ImportWhat): string {
  return `${pageAddress('import')}?what=${what}`;
}

/**
 * Former address of the import, which still redirects to the import page. Therefore, the order number `import` needs a different address.
 */
const FORMER_IMPORT = '/orders/import';

/** Returns the address of an order's page. */
export function orderAddress(orderNumber: string): string {
  const address = `/orders/${encodeURIComponent(orderNumber)}`;
  return address === FORMER_IMPORT ? '/orders/%69mport' : address;
}

/** Returns the address of an article's page. */
export function articleAddress(sku: string): string {
  return `${pageAddress('articles')}/${encodeURIComponent(sku)}`;
}

/** Returns the address of an order's print view. */
export function orderPrintAddress(orderNumber: string): string {
  return `${orderAddress(orderNumber)}/print`;
}

/** Returns the address of a batch's page. */
export function batchAddress(id: number): string {
  return `${pageAddress('carts')}/batches/${id}`;
}

/** Returns the address of the print view with the labels of a cart or wall and its slots. */
export function slotLabelsAddress(kind: CarrierKind, id: number): string {
  return `${pageAddress('carts')}/print?${kind}=${id}`;
}

/** Returns the address for picking onto a cart, or sorting at a wall. */
export function pickCarrierAddress({ kind, id }: { kind: CarrierKind; id: number }): string {
  return `${pageAddress('pick')}/${kind}s/${id}`;
}

/** Returns the address for packing from the slots of a cart or wall. */
export function packAddress(carrier: number): string {
  return `${pageAddress('pack')}/${carrier}`;
}

/** Returns the address of a sequence's page. */
export function sequenceAddress(sequenceId: string): string {
  return `/connections/sequences/${encodeURIComponent(sequenceId)}`;
}

/** Returns the address of the map with this order's or sequence's devices highlighted. */
export function mapAddress(name: string): string {
  return `${pageAddress('today')}?find=${encodeURIComponent(name)}`;
}

/** Returns the address of an order's history since it was created. */
export function orderHistoryAddress(orderNumber: string): string {
  return `/history?range=all&order=${encodeURIComponent(orderNumber)}`;
}

/** Returns the address of a sequence's history since it was created. */
export function sequenceHistoryAddress(sequenceId: string): string {
  return `/history?range=all&sequence=${encodeURIComponent(sequenceId)}`;
}

/** Returns the id in the address of a page, such as an order number, or undefined if there is none. */
export function useRouteId(): string | undefined {
  // Do not use the router's path: it is partly decoded, so `%252F` and `%2F` would be the same.
  useLocation();
  const named = routeId(window.location.pathname);
  if (named === undefined) return undefined;
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}

/** Returns the cart or wall in the address of the Pick page, or undefined if there is none. */
export function useCarrierOfPick(): { kind: CarrierKind; id: number } | undefined {
  const [path] = useLocation();
  const [, kind, id] = /^\/pick\/(cart|wall)s\/(\d+)$/.exec(path) ?? [];
  return id === undefined ? undefined : { kind: kind === 'wall' ? 'wall' : 'cart', id: Number(id) };
}

/** The order, sequence or batch that lit a command, if any. */
export type CommandOrigin = Pick<CommandEntry, 'order_number' | 'sequenceid'> &
  Partial<Pick<CommandEntry, 'batch_id' | 'batch_name'>>;

/** Returns the name of the order, sequence, cart or wall that lit a command; empty if there is none. */
export function originWords({
  order_number: order,
  sequenceid,
  batch_id: batch = null,
  batch_name: name,
}: CommandOrigin): string {
  if (order !== null) return texts.work.order(order);
  if (batch !== null) return name ?? texts.work.batch(batch);
  return sequenceid === null ? '' : texts.work.sequence(sequenceid);
}

/** Returns the address of the order, sequence or batch that lit a command. */
export function originAddress({ order_number: order, sequenceid, batch_id: batch = null }: CommandOrigin): string {
  if (order !== null) return orderAddress(order);
  return batch === null ? sequenceAddress(sequenceid ?? '') : batchAddress(batch);
}

/** Returns the address of a device's panel on the map or in the table of places. */
export function deviceAddress(deviceid: string, page: PanelPage = 'today'): string {
  return `${pageAddress(page)}?device=${deviceid}`;
}

/** Returns the address that opens a page and starts a task, such as the dialog for a new rack. */
export function taskAddress(page: PageId, task: string): string {
  return `${pageAddress(page)}?task=${task}`;
}

/** Starts the task that the address names, and removes the task from the address, so that reload and Back do not start it again. */
export function useTask(tasks: Readonly<Record<string, () => void>>): void {
  const [params, setParams] = useSearchParams();
  const task = params.get('task');
  useEffect(() => {
    if (task === null) return;
    tasks[task]?.();
    setParams(
      (before) => {
        before.delete('task');
        return before;
      },
      { replace: true },
    );
    // oxlint-disable-next-line react/exhaustive-deps -- runs only when the task in the address changes
  }, [task]);
}

const DEVICE_ID = /^[0-9A-F]{6}:[0-9A-F]{6}$/;

/** Pages that can show a device panel. */
type PanelPage = 'today' | 'places';

/** Returns the address of this page with or without a device's panel. Other parameters are kept. */
function selectionAddress(page: PanelPage, deviceid: string | undefined): string {
  const kept = new URLSearchParams(window.location.search);
  kept.delete('device');
  const query = [...(deviceid === undefined ? [] : [`device=${deviceid}`]), kept.toString()].filter(Boolean);
  return `${pageAddress(page)}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/**
 * Returns the device that the address names, and a function that puts a different device into the address, so that
 * links, reload and Back work.
 */
export function useSelection(page: PanelPage): {
  selected: string | undefined;
  select(deviceid: string | undefined): void;
} {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const named = (params.get('device') ?? '').toUpperCase();
  const select = useCallback(
    (deviceid: string | undefined) =>
      navigate(selectionAddress(page, deviceid), { state: window.history.state as unknown }),
    [page, navigate],
  );
  return { selected: DEVICE_ID.test(named) ? named : undefined, select };
}
