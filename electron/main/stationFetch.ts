import { TLSSocket } from 'node:tls';
import { Agent, buildConnector, fetch } from 'undici';

/** As much of `fetch` as the shell needs. */
export type StationFetch = (
  url: URL,
  init: { method?: string; headers?: Record<string, string>; signal: AbortSignal },
) => Promise<Pick<Awaited<ReturnType<typeof fetch>>, 'ok' | 'json' | 'arrayBuffer' | 'body'>>;

/**
 * Asks the station, and where it speaks HTTPS nobody but it: `fingerprint` is the SHA-256 of its certificate, asked at each
 * connection. Who signed that, for which names and until when is of no interest: it was not read off the wire.
 */
export function createStationFetch(fingerprint: () => string | undefined): StationFetch {
  // A session that is taken up again would show no certificate.
  const connect = buildConnector({ rejectUnauthorized: false, maxCachedSessions: 0 });
  const dispatcher = new Agent({
    connect(options, callback) {
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        if (socket instanceof TLSSocket && !isOfStation(socket, fingerprint())) {
          socket.destroy();
          return callback(new Error('What answers there is not this station: it shows another certificate.'), null);
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
