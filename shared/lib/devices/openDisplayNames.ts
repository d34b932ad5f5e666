/** Default ports of a display: without a key, and with a key. */
export const PLAIN_PORT = 2_446;
const TLS_PORT = 2_447;

const ADDRESS = /^(?:opendisplay:\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?\/?$/i;
const MAX_PORT = 65_535;

/** Returns the serial number of a display's turbo. `digits` are the 12 hexadecimal digits of the display's MAC. */
export function displaySerialNumber(digits: string): string {
  return `OD-${digits.toUpperCase()}`;
}

/** Returns the DeviceID of a display, which consists of the two halves of the display's MAC. */
export function displayDeviceId(digits: string): string {
  return `${digits.slice(0, 6).toUpperCase()}:${digits.slice(6).toUpperCase()}`;
}

export function displayUrl(host: string, port: number): string {
  return `opendisplay://${host.toLowerCase()}:${port}/`;
}

/**
 * Parses the address of a display: `192.168.1.40`, `display-7.local:2446` or an `opendisplay:` URL. Without a port, uses the default one.
 * Returns undefined for other text.
 */
export function readDisplayUrl(text: string, hasKey: boolean): { host: string; port: number; url: string } | undefined {
  const [, host, digits] = ADDRESS.exec(text.trim()) ?? [];
  if (host === undefined) return undefined;
  const port = digits === undefined ? (hasKey ? TLS_PORT : PLAIN_PORT) : Number(digits);
  return port < 1 || port > MAX_PORT ? undefined : { host, port, url: displayUrl(host, port) };
}
