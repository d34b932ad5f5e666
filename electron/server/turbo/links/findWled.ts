import type { Answer } from 'dns-packet';
import { wledSerialNumber } from '#shared/lib/wledNames.ts';
import type { FoundController, Multicast } from '../../ports.ts';
import { cleanName } from './cleanName.ts';

/** mDNS, RFC 6762. Asked from another port, so that answers come only to the station: section 6.7. */
const GROUP = '224.0.0.251';
const PORT = 5_353;
const SERVICE = '_wled._tcp.local';
const MAC = /^mac=([0-9a-f]{12})$/i;

/** Asks all WLED controllers of the network for themselves; hands over each that answers. Rejects as `Multicast`. */
export async function findWled(multicast: Multicast, found: (controller: FoundController) => void): Promise<void> {
  const { decode, encode } = await import('dns-packet');
  const bytes = encode({ type: 'query', questions: [{ type: 'PTR', name: SERVICE }] });
  await multicast.ask({ group: GROUP, port: PORT, bytes, answersToGroup: false }, (reply, sender) => {
    const controller = parse(() => decode(reply), sender);
    if (controller !== undefined) found(controller);
  });
}

type Decoded = { type?: string | undefined; answers?: Answer[] | undefined; additionals?: Answer[] | undefined };

function parse(decode: () => Decoded, sender: string): FoundController | undefined {
  let reply: Decoded;
  try {
    reply = decode();
  } catch {
    return undefined;
  }
  if (reply.type !== 'response') return undefined;
  const records = [...(reply.answers ?? []), ...(reply.additionals ?? [])];
  const instance = records.flatMap((one) => (one.type === 'PTR' && isSame(one.name, SERVICE) ? [one.data] : []))[0];
  if (instance === undefined || !isSame(instance.slice(-SERVICE.length - 1), `.${SERVICE}`)) return undefined;
  const service = records.flatMap((one) => (one.type === 'SRV' && isSame(one.name, instance) ? [one.data] : []))[0];
  const hosts = records.flatMap((one) =>
    one.type === 'A' && service !== undefined && isSame(one.name, service.target) ? [one.data] : [],
  );
  // About another host, from a repeater or a liar: only the sender's own address is offered.
  if (hosts.length > 0 && !hosts.includes(sender)) return undefined;
  const texts = records.flatMap((one) => (one.type === 'TXT' && isSame(one.name, instance) ? [one.data].flat() : []));
  const mac = texts.map((text) => MAC.exec(text.toString())?.[1]).find((one) => one !== undefined);
  return {
    kind: 'wled',
    url: new URL(`http://${sender}:${service?.port ?? 80}/`).href,
    name: cleanName(instance.slice(0, -SERVICE.length - 1)),
    serialNumber: mac === undefined ? '' : wledSerialNumber(mac),
  };
}

/** Names of DNS have no case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
