import { hostname, networkInterfaces } from 'node:os';

/** How this machine is called, and its addresses in networks that others share. */
export type Machine = { names: string[]; addresses: string[] };

/** As it is now: both change while a program runs. */
export function thisMachine(): Machine {
  const name = hostname().toLowerCase();
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name);
  const addresses = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    // Addresses of one cable alone need the name of its network card behind them, which browsers do not take.
    .filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address))
    // Those that people can type come first.
    .toSorted((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => address);
  return { names: isName ? [name, ...(name.includes('.') ? [] : [`${name}.local`])] : [], addresses };
}

/** The IPv6 addresses of this machine with the length of their prefixes, those of one cable alone included. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .flatMap(({ family, cidr }) => (family === 'IPv6' && cidr !== null ? [cidr] : []));
}
