import { request, type RequestOptions } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

export type TlsAnswer = { status: number; headers: IncomingHttpHeaders; body: unknown; fingerprint: string };

/** Sends one request over a new encrypted connection. Accepts any certificate if `ca` is not set. */
export function tlsRequest(
  url: string,
  path: string,
  options: Pick<RequestOptions, 'method' | 'ca' | 'servername' | 'host'> & {
    headers?: Record<string, string>;
    body?: unknown;
  } = {},
): Promise<TlsAnswer> {
  const { headers = {}, body, ca, ...rest } = options;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        path,
        agent: false,
        rejectUnauthorized: ca !== undefined,
        ca,
        headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...rest,
      },
      (response) => {
        const fingerprint = (response.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? '';
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString('utf8');
          const isJson = /json/.test(response.headers['content-type'] ?? '');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson ? JSON.parse(received) : received,
            fingerprint,
          });
        });
      },
    );
    call.on('error', reject);
    call.end(text);
  });
}

/** Returns the TLS version that both sides agree on, or the error code. */
export function handshake(url: string, options: ConnectionOptions): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false, ...options }, () => {
      resolve(socket.getProtocol() ?? '');
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
