import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

/** Returns a function that checks whether an address is a trusted proxy. `trusted` returns addresses and networks (CIDR). */
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

/** Converts an IPv4 address from the form that IPv6 sockets use to the usual form. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Returns the caller's address, as reported by trusted proxies. */
export function addressOf(req: Request): string {
  const address = plainAddress(req.ip ?? '');
  // Use the address of the connection if the proxy sent something else, such as `unknown`.
  return isIP(address) === 0 ? plainAddress(req.socket.remoteAddress ?? '') : address;
}

/** Origin of a request, determined by the same rules for requests that express does not handle, such as upgrades. */
export type Way = {
  address: string;
  isEncrypted: boolean;
  /** Whether an untrusted proxy forwarded the request, so that `address` is not the caller's. */
  isFromUnknown: boolean;
};

export function wayOf({ socket, headers }: IncomingMessage, isTrusted: (address: string) => boolean): Way {
  const own = plainAddress(socket.remoteAddress ?? '');
  const isPassedOn = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
  if (!isTrusted(own)) return { address: own, isEncrypted: 'encrypted' in socket, isFromUnknown: isPassedOn };
  const hops = listIn(headers['x-forwarded-for']);
  let address = own;
  while (isTrusted(address) && hops.length > 0) address = plainAddress(hops.pop() ?? '');
  const schemes = listIn(headers['x-forwarded-proto']);
  return {
    address: isIP(address) === 0 ? own : address,
    // With several proxies, every hop must be encrypted.
    isEncrypted: schemes.length === 0 ? 'encrypted' in socket : schemes.every((scheme) => scheme === 'https'),
    isFromUnknown: isIP(address) === 0,
  };
}

function listIn(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
