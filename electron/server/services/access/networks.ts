import type { Clock } from '../../ports.ts';

/** An address of this machine with its prefix length, such as `fd00::1/64`. */
export type OwnAddress = string;

/** Maps an address to the network for which wrong attempts are counted. */
export type NetworkOf = (address: string) => string;

const LOOK_AGAIN_MS = 60_000;
const GROUP_BITS = 16;
/** Prefix length that a provider assigns to one customer. */
const CUSTOMER_BITS = 64;

/**
 * Creates a function that returns an IPv4 address itself, and the /64 prefix of an IPv6 address, because one attacker can use a whole /64.
 * IPv6 addresses with this machine's prefix count separately, because they belong to other machines at the same site.
 */
export function createNetworks(parts: {
  clock: Pick<Clock, 'monotonic'>;
  /** Returns this machine's current IPv6 addresses. */
  ownAddresses: () => readonly OwnAddress[];
}): NetworkOf {
  const { clock, ownAddresses } = parts;
  let own: { groups: readonly number[]; bits: number }[] = [];
  let lookAt = Number.NEGATIVE_INFINITY;

  function isInOwnPrefix(groups: readonly number[]): boolean {
    if (lookAt <= clock.monotonic()) {
      lookAt = clock.monotonic() + LOOK_AGAIN_MS;
      own = ownAddresses().flatMap((text) => {
        const [address = '', bits] = text.split('/');
        const found = groupsOf(address);
        return found === undefined ? [] : [{ groups: found, bits: Math.min(Number(bits), CUSTOMER_BITS) }];
      });
    }
    return own.some((one) => haveCommonBits(one.groups, groups, one.bits));
  }

  return (address) => {
    if (!address.includes(':')) return address;
    const groups = groupsOf(address);
    if (groups === undefined) return address;
    const counted = isInOwnPrefix(groups) ? groups : groups.slice(0, CUSTOMER_BITS / GROUP_BITS);
    return counted.map((group) => group.toString(16)).join(':');
  };
}

function haveCommonBits(a: readonly number[], b: readonly number[], bits: number): boolean {
  return a.every((group, index) => {
    const here = Math.max(0, Math.min(GROUP_BITS, bits - index * GROUP_BITS));
    return group >> (GROUP_BITS - here) === (b[index] ?? 0) >> (GROUP_BITS - here);
  });
}

/** Returns the eight groups of an IPv6 address, ignoring the interface name, or undefined if the text is not an IPv6 address. */
function groupsOf(address: string): number[] | undefined {
  const [bare = ''] = address.split('%');
  // An IPv4 ending, as in `::ffff:192.0.2.1`, becomes two groups.
  const plain = bare.replace(/\d{1,3}(?:\.\d{1,3}){3}$/, (tail) => {
    const [a = 0, b = 0, c = 0, d = 0] = tail.split('.').map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = plain.split('::');
  const read = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [front, back] = [read(head), read(tail ?? '')];
  const groups = [...front, ...Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => 0), ...back];
  return groups.length === 8 && groups.every((group) => group >= 0 && group <= 0xffff) ? groups : undefined;
}
