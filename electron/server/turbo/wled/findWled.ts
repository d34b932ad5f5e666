import { wledSerialNumber } from '#shared/lib/devices/wledNames.ts';
import type { FoundController, Multicast } from '../../ports.ts';
import { findServices } from '../controllers/mdns.ts';

const SERVICE = '_wled._tcp.local';
const MAC = /^[0-9a-f]{12}$/i;

/** Searches the network for WLED controllers, and passes each controller that answers to `found`. Rejects if the query cannot be sent. */
export function findWled(multicast: Multicast, found: (controller: FoundController) => void): Promise<void> {
  return findServices(multicast, SERVICE, ({ host, port = 80, name, texts }) => {
    const mac = texts.get('mac') ?? '';
    found({
      kind: 'wled',
      url: new URL(`http://${host}:${port}/`).href,
      name,
      serialNumber: MAC.test(mac) ? wledSerialNumber(mac) : '',
      needsKey: false,
    });
  });
}
