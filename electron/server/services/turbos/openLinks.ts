import type { TurboLinkRow } from '../../db/repositories/turboLinks.ts';
import type { NetworkWish, SerialWish } from '../../ports.ts';
import { invalidWords } from './linkChecks.ts';
import { keyOf, linksWithPlaces } from './linkEntries.ts';
import type { LinkContext, LinkWithPlaces } from './types.ts';

/** Opens the stored links whose rows are valid, and closes all others. */
export function openLinks(context: LinkContext): void {
  context.openedKeys.clear();
  const links = linksWithPlaces(context).filter(({ row, places }) => invalidWords(row, places) === undefined);
  context.serialLinks.set(links.flatMap(({ row }) => (row.kind === 'usb' ? [serialWish(row)] : [])));
  context.networkLinks.set(links.flatMap((link) => networkWish(link, keyOf(context, link.row))));
}

/**
 * Returns the connection to open for a link. Returns an empty list if the key cannot be decrypted, because an encrypted display must never
 * be contacted without encryption.
 */
function networkWish(
  { row: { id, kind, url }, places }: LinkWithPlaces,
  key: string | null | undefined,
): NetworkWish[] {
  if (kind === 'usb' || key === undefined) return [];
  return [
    {
      id: String(id),
      kind,
      url,
      key: key ?? undefined,
      places: places.map(({ number, label, ranges }) => ({ number, label, ranges })),
    },
  ];
}

function serialWish(row: TurboLinkRow): SerialWish {
  const { id, path, vendor_id: vendorId, product_id: productId, serial_number: serialNumber } = row;
  const identity = vendorId === '' ? null : { vendorId, productId, serialNumber };
  return { id: String(id), path, identity, baudRate: row.baud_rate, flowControl: row.flow_control === 1 };
}
