import type { FoundController, Multicast } from '../../ports.ts';
import { cleanName } from '../controllers/cleanName.ts';

/** Multicast group that access points use to find each other. */
const GROUP = '239.10.0.1';
const PORT = 16_033;
const LIST_REQUEST = 0x80;
const LIST_REPLY = 0x81;
/** Size of a message in bytes. After a type byte, it contains address, alias, channel, number of tags and version. */
const MESSAGE_BYTES = 41;
const ALIAS = { start: 5, end: 37 } as const;

/** Searches the network for access points, and passes each access point that answers to `found`. Rejects if the query cannot be sent. */
export function findAccessPoints(multicast: Multicast, found: (controller: FoundController) => void): Promise<void> {
  const bytes = new Uint8Array(MESSAGE_BYTES);
  bytes[0] = LIST_REQUEST;
  return multicast.ask({ group: GROUP, port: PORT, bytes, answersToGroup: true }, (reply, sender) => {
    if (reply[0] !== LIST_REPLY || reply.length < MESSAGE_BYTES) return;
    const alias = reply.subarray(ALIAS.start, ALIAS.end);
    const end = alias.indexOf(0);
    // Use the address of the sender, because the one in the message may be wrong.
    found({
      kind: 'openepaperlink',
      url: `http://${sender}/`,
      name: cleanName(alias.toString('utf8', 0, end === -1 ? alias.length : end)),
      serialNumber: `oepl-${sender}`,
      needsKey: false,
    });
  });
}
