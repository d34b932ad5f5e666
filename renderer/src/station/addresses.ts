import { useLocation } from 'wouter';

/** Where orders are imported. It stands where an order of that number would. */
export const ORDER_IMPORT = '/orders/import';

/** The page of one order. */
export function orderAddress(orderNumber: string): string {
  const address = `/orders/${encodeURIComponent(orderNumber)}`;
  return address === ORDER_IMPORT ? '/orders/%69mport' : address;
}

/** The page of one sequence. */
export function sequenceAddress(sequenceId: string): string {
  return `/sequences/${encodeURIComponent(sequenceId)}`;
}

/** The map, with the devices that work for this order or sequence. */
export function mapAddress(name: string): string {
  return `/?find=${encodeURIComponent(name)}`;
}

/** What happened to this order since it was made. */
export function orderHistoryAddress(orderNumber: string): string {
  return `/history?range=all&order=${encodeURIComponent(orderNumber)}`;
}

/** What happened to this sequence since it was made. */
export function sequenceHistoryAddress(sequenceId: string): string {
  return `/history?range=all&sequence=${encodeURIComponent(sequenceId)}`;
}

/** What the address names behind its page, such as the number of an order; undefined where it names the page alone. */
export function useRouteId(): string | undefined {
  // The router's path is decoded in part: what was encoded twice could not be told apart.
  useLocation();
  const [, , named = ''] = window.location.pathname.split('/');
  if (named === '') return undefined;
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}
