import type { Answer } from 'dns-packet';
import type { Multicast } from '../../ports.ts';
import { cleanName } from './cleanName.ts';

/** Multicast group of mDNS (RFC 6762). Queries use a different source port, so that answers go only to the station (section 6.7). */
const GROUP = '224.0.0.251';
const PORT = 5_353;

/** A service as announced by its host. `texts` contains its TXT record. `port` is undefined if the host did not announce it. */
export type FoundService = { host: string; port: number | undefined; name: string; texts: ReadonlyMap<string, string> };

/** Queries the network for a service, such as `_wled._tcp.local`, and passes on each answer. Rejects if the query cannot be sent. */
export async function findServices(
  multicast: Multicast,
  service: string,
  found: (service: FoundService) => void,
): Promise<void> {
  const { decode, encode } = await import('dns-packet');
  const bytes = encode({ type: 'query', questions: [{ type: 'PTR', name: service }] });
  await multicast.ask({ group: GROUP, port: PORT, bytes, answersToGroup: false }, (reply, sender) => {
    const answer = parse(() => decode(reply), service, sender);
    if (answer !== undefined) found(answer);
  });
}

type Decoded = { type?: string | undefined; answers?: Answer[] | undefined; additionals?: Answer[] | undefined };

function parse(decode: () => Decoded, service: string, sender: string): FoundService | undefined {
  let reply: Decoded;
  try {
    reply = decode();
  } catch {
    return undefined;
  }
  if (reply.type !== 'response') return undefined;
  const records = [...(reply.answers ?? []), ...(reply.additionals ?? [])];
  const instance = records.flatMap((one) => (one.type === 'PTR' && isSame(one.name, service) ? [one.data] : []))[0];
  if (instance === undefined || !isSame(instance.slice(-service.length - 1), `.${service}`)) return undefined;
  const place = records.flatMap((one) => (one.type === 'SRV' && isSame(one.name, instance) ? [one.data] : []))[0];
  const hosts = records.flatMap((one) =>
    one.type === 'A' && place !== undefined && isSame(one.name, place.target) ? [one.data] : [],
  );
  // Ignore answers about other hosts, from a repeater or a spoofer.
  if (hosts.length > 0 && !hosts.includes(sender)) return undefined;
  const texts = records.flatMap((one) => (one.type === 'TXT' && isSame(one.name, instance) ? [one.data].flat() : []));
  return {
    host: sender,
    port: place?.port,
    name: cleanName(instance.slice(0, -service.length - 1)),
    texts: new Map(texts.map((text) => splitText(text.toString()))),
  };
}

function splitText(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  return at === -1 ? [text.toLowerCase(), ''] : [text.slice(0, at).toLowerCase(), text.slice(at + 1)];
}

/** Whether two DNS names are equal, ignoring case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
