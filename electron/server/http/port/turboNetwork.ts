import type { Exposure } from '#shared/api/exposure.ts';
import type { TurboNetwork } from '#shared/api/turbo.ts';

/** Returns the addresses at which turbos on the network reach this station over WebSocket and TCP. */
export function turboNetworkOf(
  { addresses, listens, certificate }: Exposure,
  own: { port: number; tcpPort: number | undefined; plainPasswords: boolean },
): TurboNetwork {
  const hosts = addresses.flatMap((address) => {
    const { hostname, port } = new URL(address);
    // Skip addresses of proxies in front of the station, because those forward only HTTP.
    return port === String(own.port) ? [hostname] : [];
  });
  return {
    websocket: addresses.map((address) => new URL('turbo/', address).href.replace(/^http/, 'ws')),
    tcp: own.tcpPort === undefined ? [] : [...new Set(hosts)].map((host) => `${host}:${own.tcpPort}`),
    listens,
    encrypted: certificate !== null,
    plain_passwords: own.plainPasswords,
  };
}
