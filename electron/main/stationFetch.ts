import { TLSSocket } from 'node:tls';
import { Agent, buildConnector, fetch } from 'undici';

/** The part of `fetch` that the shell needs. */
export type StationFetch = (
  url: URL,
  init: { method?: string; headers?: Record<string, string>; signal: AbortSignal },
) => Promise<Pick<Awaited<ReturnType<typeof fetch>>, 'ok' | 'json' | 'arrayBuffer' | 'body'>>;

/**
 * Sends requests only to the station. Over HTTPS, the station must present the certificate with this SHA-256 `fingerprint`, which is read
 * for each connection. Issuer, names and dates are ignored, because the fingerprint does not come over the network.
 */
export function createStationFetch(fingerprint: () => string | undefined): StationFetch {
  // Disable session resumption, which would skip the certificate.
  const connect = buildConnector({ rejectUnauthorized: false, maxCachedSessions: 0 });
  const dispatcher = new Agent({
    connect(options, callback) {
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        if (socket instanceof TLSSocket && !isOfStation(socket, fingerprint())) {
          socket.destroy();
          return callback(new Error('The program at that address is not this station: its certificate differs.'), null);
        }
        callback(null, socket);
      });
    },
  });
  return (url, init) => fetch(url, { ...init, dispatcher });
}

function isOfStation(socket: TLSSocket, fingerprint: string | undefined): boolean {
  return fingerprint !== undefined && socket.getPeerX509Certificate()?.fingerprint256 === fingerprint;
}
