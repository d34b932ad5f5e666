import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { StationError } from '../../errors.ts';
import { plainAddress } from './forwarded.ts';

/** The station's addresses. The fields are functions, because settings change. */
export type Addresses = {
  /** Returns the port that the station listens on. */
  port: () => number;
  /** Returns the host that the station listens on. */
  host: () => string;
  /** Returns the kind of the certificate, or undefined for plain HTTP. */
  certificate: () => 'given' | 'generated' | undefined;
  publicUrls: () => readonly string[];
  corsOrigins: () => readonly string[];
  isTrustedProxy: (address: string | undefined) => boolean;
  /** Called for each request that is refused because of its origin or host. */
  refused: (kind: 'origin_refused' | 'host_refused', about: string) => void;
};

/** Names of this machine in a Host header, without the port. */
export const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Response headers that scripts on allowed pages can read. */
const EXPOSED_HEADERS = 'etag, idempotency-replayed, link, pickstation-revision, retry-after, x-pickstation-warnings';

/** Value of the HSTS header. It lasts a month, so that an owner who returns to plain HTTP is not locked out for a year. */
const HSTS = `max-age=${30 * 24 * 3_600}`;

type HostRequest = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders' | 'socket'>;

/**
 * Returns middleware that refuses, before routing, requests to a foreign host name (DNS rebinding) and requests from pages of other sites,
 * whether or not they have a key. Contract, section 2.
 */
export function guard(addresses: Addresses): RequestHandler {
  return (req, res, next) => {
    checkHost(req, addresses);
    // Only for public names: HSTS makes browsers refuse certificates that people would have to accept, and plain HTTP on every port of the
    // name. Decision 0022.
    if (addresses.certificate() === 'given' && hostsOf(req).every((host) => isPublicHttps(host, addresses))) {
      res.setHeader('strict-transport-security', HSTS);
    }
    const { origin } = req.headers;
    if (origin === undefined) return next();
    res.setHeader('vary', 'origin');
    if (addresses.corsOrigins().includes(origin)) {
      res.setHeader('access-control-allow-origin', origin);
      res.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
      if (req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined) {
        res.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
        res.setHeader(
          'access-control-allow-headers',
          'api-key, authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id',
        );
        res.setHeader('access-control-max-age', '600');
        res.status(204).end();
        return;
      }
      return next();
    }
    if (!isOwnOrigin(origin, req.socket.localAddress, addresses)) {
      addresses.refused('origin_refused', origin);
      throw new StationError(
        'foreign_origin',
        `Requests from pages of ${origin} are refused. Add it to the setting public_urls if it is this station, or to cors_origins if the page is yours.`,
      );
    }
    next();
  };
}

/**
 * Returns the hosts in a request. An absolute URL, as sent to a proxy, takes precedence over the header (RFC 9112, section 3.2.2). If there
 * are two headers, returns both hosts, because a proxy may have used either.
 */
function hostsOf({ url, rawHeaders }: HostRequest): string[] {
  const [, asked] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url ?? '') ?? [];
  if (asked !== undefined) return [asked.toLowerCase()];
  const hosts: string[] = [];
  // Names and values alternate. Reading Node's parsed headers would take longer.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts.push((rawHeaders[at + 1] ?? '').toLowerCase());
  }
  return hosts.length === 0 ? [''] : hosts;
}

/** Whether a URL, such as an Origin or a Referer, belongs to this station. */
export function isOwnOrigin(url: string, localAddress: string | undefined, addresses: Addresses): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, origin } = new URL(url);
  if (protocol === schemeOf(addresses) && isDirect(host, localAddress, addresses)) return true;
  return publicNames(addresses.publicUrls()).origins.has(origin);
}

/** Throws `foreign_host` if the request names a host that is not this station. */
export function checkHost(req: HostRequest, addresses: Addresses): void {
  const foreign = foreignName(req, addresses);
  if (foreign !== undefined) {
    addresses.refused('host_refused', `${schemeAsked(req, addresses)}//${foreign}/`);
    throw new StationError(
      'foreign_host',
      `"${foreign}" is not a name of this station. Use ${schemeOf(addresses)}//127.0.0.1:${addresses.port()}/, or add the address to the setting public_urls.`,
    );
  }
}

/** Returns the foreign host in the request, if any. Behind a trusted proxy, checks the host that the proxy received. */
function foreignName(req: HostRequest, addresses: Addresses): string | undefined {
  const asked = req.headers['x-forwarded-host'];
  const { hosts } = publicNames(addresses.publicUrls());
  if (typeof asked === 'string' && addresses.isTrustedProxy(req.socket.remoteAddress)) {
    // With several proxies, any of them may forward a forged name.
    const names = asked.split(',').map((name) => name.trim().toLowerCase());
    return names.find((name) => !hosts.has(name));
  }
  return hostsOf(req).find((host) => !isDirect(host, req.socket.localAddress, addresses) && !hosts.has(host));
}

function isDirect(host: string, localAddress: string | undefined, addresses: Addresses): boolean {
  if (host === '') return false;
  const port = addresses.port();
  const usual = addresses.certificate() === undefined ? 80 : 443;
  const withPort = (name: string) => host === `${name}:${port}` || (port === usual && host === name);
  if (LOOPBACK.some(withPort)) return true;
  if (withPort(asHost(addresses.host().toLowerCase()))) return true;
  // An IP address is safe: in DNS rebinding the host is the attacker's name, never an address.
  return localAddress !== undefined && withPort(asHost(plainAddress(localAddress)));
}

/** Returns the scheme that the caller used, even if a trusted proxy received the request. */
function schemeAsked(req: HostRequest, addresses: Addresses): 'http:' | 'https:' {
  const asked = addresses.isTrustedProxy(req.socket.remoteAddress) ? req.headers['x-forwarded-proto'] : undefined;
  return asked === undefined ? schemeOf(addresses) : asked === 'https' ? 'https:' : 'http:';
}

function schemeOf(addresses: Addresses): 'http:' | 'https:' {
  return addresses.certificate() === undefined ? 'http:' : 'https:';
}

/** Whether a host is a public name on the default HTTPS port, which no other program shares. */
function isPublicHttps(host: string, addresses: Addresses): boolean {
  const { origins } = publicNames(addresses.publicUrls());
  const name = host.replace(/:443$/, '');
  return !name.includes(':') && origins.has(`https://${name}`);
}

type Names = { hosts: ReadonlySet<string>; origins: ReadonlySet<string> };
const namesOf = new WeakMap<readonly string[], Names>();

/**
 * Returns the hosts and origins of these URLs as browsers send them, in lower case and without the default port. Hosts are also included
 * with the default port, because other programs may send it.
 */
function publicNames(urls: readonly string[]): Names {
  const known = namesOf.get(urls);
  if (known !== undefined) return known;
  const parsed = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url));
  const names = {
    hosts: new Set(
      parsed.flatMap(({ host, port, protocol }) =>
        port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host],
      ),
    ),
    origins: new Set(parsed.map(({ origin }) => origin)),
  };
  namesOf.set(urls, names);
  return names;
}

/** Formats an address as the host in a URL. */
export function asHost(address: string): string {
  return address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
}
