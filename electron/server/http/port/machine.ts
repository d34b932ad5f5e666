import { compareNames } from '#shared/lib/text/locale.ts';
import { hostname, networkInterfaces } from 'node:os';

/** Names and network addresses of this machine. */
export type Machine = { names: string[]; addresses: string[] };

/** Returns the current names and addresses of this machine. Both can change while the program runs. */
export function thisMachine(): Machine {
  const name = hostname().toLowerCase();
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name);
  const addresses = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    // Skip link-local addresses: they need the name of a network interface, which browsers do not accept.
    .filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address))
    // IPv4 first, because people can type it.
    .toSorted((a, b) => compareNames(a.family, b.family))
    .map(({ address }) => address);
  return { names: isName ? [name, ...(name.includes('.') ? [] : [`${name}.local`])] : [], addresses };
}

/** Returns the machine's IPv6 addresses with prefix lengths, including link-local addresses. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .flatMap(({ family, cidr }) => (family === 'IPv6' && cidr !== null ? [cidr] : []));
}
