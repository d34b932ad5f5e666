import type { RequestHandler } from 'express';
import { StationError } from '../errors.ts';

/** Which addresses are this station's: decided anew at each request, as settings change. */
export type Addresses = {
  /** The port it listens on. */
  port: () => number;
  /** The host it was told to listen on. */
  host: string;
  publicUrls: () => readonly string[];
  corsOrigins: () => readonly string[];
};

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Refuses, before anything is routed, requests under a name that is not ours (DNS rebinding) and browser requests
 * from another site, with a key or without. Contract, section 2.
 */
export function guard(addresses: Addresses): RequestHandler {
  return (req, res, next) => {
    const host = req.headers.host?.toLowerCase() ?? '';
    if (!isOurs(host, req.socket.localAddress, addresses)) {
      throw new StationError(
        'foreign_host',
        `"${host}" is not a name of this station. Use http://127.0.0.1:${addresses.port()}/, or add the address to public_urls in the settings.`,
      );
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
      throw new StationError(
        'foreign_origin',
        `Requests from pages of ${origin} are refused. Add it to cors_origins in the settings if it is yours.`,
      );
    }
    next();
  };
}

/** Whether a URL, such as an Origin or a Referer, is at one of this station's addresses. */
export function isOwnOrigin(url: string, localAddress: string | undefined, addresses: Addresses): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host } = new URL(url);
  return (protocol === 'http:' || protocol === 'https:') && isOurs(host, localAddress, addresses);
}

function isOurs(host: string, localAddress: string | undefined, addresses: Addresses): boolean {
  if (host === '') return false;
  const port = addresses.port();
  const withPort = (name: string) => host === `${name}:${port}` || (port === 80 && host === name);
  if (LOOPBACK.some(withPort)) return true;
  if (withPort(addresses.host.toLowerCase())) return true;
  // An address is no name: nobody can make a name of his own resolve to it and still send it as the Host.
  if (localAddress !== undefined && withPort(asHost(localAddress))) return true;
  return addresses.publicUrls().some((url) => URL.canParse(url) && new URL(url).host === host);
}

function asHost(address: string): string {
  const plain = address.replace(/^::ffff:/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}
