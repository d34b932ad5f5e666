import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { StationError } from '../errors.ts';
import { plainAddress } from './forwarded.ts';

/** Which addresses are this station's: decided anew at each request, as settings change. */
export type Addresses = {
  /** The port it listens on. */
  port: () => number;
  /** The host it was told to listen on. */
  host: () => string;
  /** Whose certificate it speaks HTTPS with; undefined: plain HTTP. */
  certificate: () => 'given' | 'generated' | undefined;
  publicUrls: () => readonly string[];
  corsOrigins: () => readonly string[];
  isTrustedProxy: (address: string | undefined) => boolean;
  /** Told of each request that is refused for where it came from: the origin of a page, or the address it was sent to. */
  refused: (kind: 'origin_refused' | 'host_refused', about: string) => void;
};

/** Names of this machine, in the form of a Host header without its port. */
export const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** A month: who goes back to plain HTTP is not locked out for a year. */
const HSTS = `max-age=${30 * 24 * 3_600}`;

type HostRequest = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders' | 'socket'>;

/**
 * Refuses, before anything is routed, requests under a name that is not ours (DNS rebinding) and browser requests
 * from another site, with a key or without. Contract, section 2.
 */
export function guard(addresses: Addresses): RequestHandler {
  return (req, res, next) => {
    checkHost(req, addresses);
    // Under its own name alone: a browser that knows the rule takes no certificate that a person would have to accept, and
    // no plain HTTP at any port of that name. Decision 0022.
    if (addresses.certificate() === 'given' && hostsOf(req).every((host) => isPublicHttps(host, addresses))) {
      res.setHeader('strict-transport-security', HSTS);
    }
    const { origin } = req.headers;
    if (origin === undefined) return next();
    res.setHeader('vary', 'origin');
    if (addresses.corsOrigins().includes(origin)) {
      res.setHeader('access-control-allow-origin', origin);
      if (req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined) {
        res.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
        res.setHeader('access-control-allow-headers', 'api-key, authorization, content-type, last-event-id');
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
        `Requests from pages of ${origin} are refused. Add it to public_urls in the settings if it is this station, or to cors_origins if the page is yours.`,
      );
    }
    next();
  };
}

/**
 * What is asked for by its whole address, as of a proxy, is of the host in that, whatever the header says: RFC 9112, 3.2.2.
 * A second header is looked at like the first: somebody in between may have read that one.
 */
function hostsOf({ url, rawHeaders }: HostRequest): string[] {
  const [, asked] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url ?? '') ?? [];
  if (asked !== undefined) return [asked.toLowerCase()];
  const hosts: string[] = [];
  // Names and values in turn. Node can tell them apart as well, but only by making lists of all other headers too.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts.push((rawHeaders[at + 1] ?? '').toLowerCase());
  }
  return hosts.length === 0 ? [''] : hosts;
}

/** Whether a URL, such as an Origin or a Referer, is at one of this station's addresses. */
export function isOwnOrigin(url: string, localAddress: string | undefined, addresses: Addresses): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, origin } = new URL(url);
  if (protocol === schemeOf(addresses) && isDirect(host, localAddress, addresses)) return true;
  return publicNames(addresses.publicUrls()).origins.has(origin);
}

/** Throws `foreign_host` where a request was sent to a name that is none of ours. */
export function checkHost(req: HostRequest, addresses: Addresses): void {
  const foreign = foreignName(req, addresses);
  if (foreign !== undefined) {
    addresses.refused('host_refused', `${schemeAsked(req, addresses)}//${foreign}/`);
    throw new StationError(
      'foreign_host',
      `"${foreign}" is not a name of this station. Use ${schemeOf(addresses)}//127.0.0.1:${addresses.port()}/, or add the address to public_urls in the settings.`,
    );
  }
}

/** The name that the request was sent to, where it is none of ours. What a trusted proxy was asked for counts in place of what it asks for. */
function foreignName(req: HostRequest, addresses: Addresses): string | undefined {
  const asked = req.headers['x-forwarded-host'];
  const { hosts } = publicNames(addresses.publicUrls());
  if (typeof asked === 'string' && addresses.isTrustedProxy(req.socket.remoteAddress)) {
    // Proxies in a row: any of them may have passed on what its client made up.
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
  // An address is no name: nobody can make a name of his own resolve to it and still send it as the Host.
  return localAddress !== undefined && withPort(asHost(plainAddress(localAddress)));
}

/** As who asked sees it, with a proxy in between or none. */
function schemeAsked(req: HostRequest, addresses: Addresses): 'http:' | 'https:' {
  const asked = addresses.isTrustedProxy(req.socket.remoteAddress) ? req.headers['x-forwarded-proto'] : undefined;
  return asked === undefined ? schemeOf(addresses) : asked === 'https' ? 'https:' : 'http:';
}

function schemeOf(addresses: Addresses): 'http:' | 'https:' {
  return addresses.certificate() === undefined ? 'http:' : 'https:';
}

/** A name that belongs to the station alone: at the port that browsers take for HTTPS. */
function isPublicHttps(host: string, addresses: Addresses): boolean {
  const { origins } = publicNames(addresses.publicUrls());
  const name = host.replace(/:443$/, '');
  return !name.includes(':') && origins.has(`https://${name}`);
}

type Names = { hosts: ReadonlySet<string>; origins: ReadonlySet<string> };
const namesOf = new WeakMap<readonly string[], Names>();

/** As browsers send them: lower case, a usual port left out, which other programs may write. */
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

/** An address as it stands in a URL. */
export function asHost(address: string): string {
  return address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
}
