import { urlDoubts } from '../services/callbacks/index.ts';
import { LOOPBACK } from './port/guard.ts';

/** What a request sets of a receiver of callbacks. `families` are all families of the receiver after the request. */
type Receiver = { url?: string | undefined; families?: Readonly<Record<string, boolean>> | undefined };

/**
 * Returns warnings about a receiver of callbacks, which begin with the name of the field. `alias` is the setting `nonce_alias`. `addresses`
 * are the addresses of this station.
 */
export function receiverDoubts(
  { url = '', families }: Receiver,
  {
    alias,
    addresses,
    names,
  }: { alias: string; addresses: readonly string[]; names: { url: string; families: string } },
): string[] {
  const isSilent = families !== undefined && !Object.values(families).includes(true);
  return [
    ...urlDoubts(url, alias).map((doubt) => `/${names.url}: ${doubt}`),
    ...(isOwnAddress(url, addresses)
      ? [
          `/${names.url}: This is an address of this station, which refuses callbacks. Give the address of your receiver.`,
        ]
      : []),
    ...(isSilent
      ? [`/${names.families}: All families are off, so this receiver gets no callbacks. Switch on those that it needs.`]
      : []),
  ];
}

function isOwnAddress(url: string, addresses: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, host, protocol } = new URL(url);
  const own = addresses.map((address) => new URL(address));
  const isOwnPort = own.some((address) => portOf(address) === portOf(new URL(`${protocol}//${host}`)));
  return own.some((address) => address.host === host) || (LOOPBACK.includes(hostname) && isOwnPort);
}

const portOf = ({ port, protocol }: URL): string => (port === '' ? (protocol === 'https:' ? '443' : '80') : port);
