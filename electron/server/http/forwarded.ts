import { BlockList, isIP } from 'node:net';
import type { Request } from 'express';

/** Answers whether this address is one of the proxies that are believed. Lists are addresses and networks (CIDR). */
export function createProxyTrust(trusted: () => readonly string[]): (address: string | undefined) => boolean {
  let made: { from: readonly string[]; list: BlockList } | undefined;
  return (address) => {
    const from = trusted();
    if (from.length === 0 || address === undefined) return false;
    if (made?.from !== from) made = { from, list: listOf(from) };
    const plain = plainAddress(address);
    const family = isIP(plain);
    return family !== 0 && made.list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  };
}

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** An address of IPv4 as such, where a socket of IPv6 has wrapped it. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The address that a request comes from, as far as a trusted proxy says it. */
export function addressOf(req: Request): string {
  const address = plainAddress(req.ip ?? '');
  // A proxy may say that it does not know.
  return isIP(address) === 0 ? plainAddress(req.socket.remoteAddress ?? '') : address;
}
