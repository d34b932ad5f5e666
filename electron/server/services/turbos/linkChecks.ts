import { faultsOf } from '#shared/api/schemaFaults.ts';
import { isHttpAddress, newTurboLinkSchema } from '#shared/api/turbo.ts';
import { readDisplayUrl } from '#shared/lib/devices/openDisplayNames.ts';
import type { LinkPlaceRow, TurboLinkRow } from '../../db/repositories/turboLinks.ts';
import { StationError } from '../../errors.ts';

/**
 * Normalizes an address by removing path, query and fragment. Throws `invalid` if this kind of hardware cannot have such an address or key.
 */
export function addressOf(kind: TurboLinkRow['kind'], url: string, key: string | null): string {
  refuseKey(kind, key);
  const isDisplay = kind === 'opendisplay';
  const address = isDisplay ? readDisplayUrl(url, key !== null)?.url : undefined;
  if (address !== undefined) return address;
  if (!isDisplay && isHttpAddress(url)) return new URL('/', url).href;
  const example = isDisplay ? 'opendisplay://192.168.1.40' : 'http://192.168.1.30';
  const message = `Write the address of the ${isDisplay ? 'display' : 'controller'}, such as ${example}.`;
  throw new StationError('invalid', message, [{ path: '/url', message }]);
}

/** Returns why a stored link is not opened, or undefined if its row is valid. */
export function invalidWords(row: TurboLinkRow, places: readonly LinkPlaceRow[]): string | undefined {
  const reason = kindFault(row) ?? (row.kind === 'usb' ? portFault(row) : (addressFault(row) ?? placesFault(places)));
  if (reason === undefined) return undefined;
  return `The stored address, port or kind of this link is not valid, so the link is not used. ${reason} Enter it again, or remove the link.`;
}

function kindFault({ kind }: TurboLinkRow): string | undefined {
  return faultsOf(newTurboLinkSchema, { kind })[0]?.message;
}

function portFault({ path, baud_rate }: TurboLinkRow): string | undefined {
  return faultsOf(newTurboLinkSchema, { path, baud_rate })[0]?.message;
}

function addressFault({ kind, url, key }: TurboLinkRow): string | undefined {
  try {
    addressOf(kind, url, key);
    return undefined;
  } catch (error) {
    return (error as StationError).message;
  }
}

function placesFault(places: readonly LinkPlaceRow[]): string | undefined {
  return faultsOf(newTurboLinkSchema, { places })[0]?.message;
}

/** Throws `invalid` if a key is set for hardware that does not use one. */
export function refuseKey(kind: TurboLinkRow['kind'], key: string | null): void {
  if (key === null || kind === 'opendisplay') return;
  throw new StationError('invalid', 'Only an OpenDisplay display has a key.', [
    { path: '/key', message: 'Leave out the key.' },
  ]);
}

/** Returns the value of a required field. Throws `invalid` if it is missing. */
export function given(text: string | undefined, path: '/path' | '/url'): string {
  if (text !== undefined) return text;
  const message = path === '/path' ? 'Name the serial port in path.' : 'Give the address of the controller in url.';
  throw new StationError('invalid', message, [{ path, message }]);
}
