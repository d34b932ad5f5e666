import { displaySerialNumber, displayUrl, PLAIN_PORT } from '#shared/lib/devices/openDisplayNames.ts';
import type { FoundController, Multicast } from '../../ports.ts';
import { findServices } from '../controllers/mdns.ts';

const SERVICE = '_opendisplay._tcp.local';
const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;

/** Searches the network for OpenDisplay displays, and passes each display that answers to `found`. Rejects if the query cannot be sent. */
export function findDisplays(multicast: Multicast, found: (controller: FoundController) => void): Promise<void> {
  return findServices(multicast, SERVICE, ({ host, port = PLAIN_PORT, name, texts }) => {
    const mac = texts.get('mac') ?? '';
    found({
      kind: 'opendisplay',
      url: displayUrl(host, port),
      name,
      serialNumber: MAC.test(mac) ? displaySerialNumber(mac.replaceAll(':', '')) : '',
      needsKey: texts.get('tls') === '1',
    });
  });
}
