import { z } from 'zod';
import { textUpTo } from './fields.ts';

/** Replacements for braces, which a URL would percent-encode. */
const BRACES = new Map([
  ['{', 'zqopenqz'],
  ['}', 'zqshutqz'],
]);

/**
 * Returns the URL of a receiver as requests use it, so that nobody reads another host or path than the one that gets them: without line
 * breaks, backslashes, dot segments and the fragment. Keeps replacement fields.
 */
function asUsed(text: string): string {
  const marked = text.replaceAll(/[{}]/g, (brace) => BRACES.get(brace) ?? brace);
  if (!URL.canParse(marked) || /zq(?:open|shut)qz/.test(text)) return text;
  const { origin, pathname, search, hash } = new URL(marked);
  const hasPath = pathname !== '/' || /^\w+:\/\/[^/\\?#]*[/\\]/.test(text);
  const isField = text.includes('#') && text.slice(text.indexOf('#')).includes('{');
  const rest = `${hasPath ? pathname : ''}${search}${isField ? hash : ''}`;
  return origin + [...BRACES].reduce((part, [brace, mark]) => part.replaceAll(mark, brace), rest);
}

/** URL of a receiver of callbacks. */
export const httpUrl = textUpTo(2_000)
  .refine(
    // A replacement field can contain any text.
    (text) => text === '' || (/^https?:\/\/[^/\\?#]/i.test(text) && URL.canParse(text.replace(/\{\w+\}/g, 'x'))),
    'A URL starts with http:// or https:// and names a host.',
  )
  .refine(
    (text) => !/^https?:\/\/[^/?#]*@/i.test(text),
    'Set user and password with their own settings, not in the URL.',
  )
  .refine(
    // A field in the host would let the sender of a command choose who receives the callback and the receiver's key.
    (text) => !/^https?:\/\/[^/?#]*\{/i.test(text),
    'Replacement fields belong after the host, in the path or the query.',
  )
  .overwrite(asUsed);

/** Address of a sheet that the station reads. Plain HTTP is allowed only on this machine; otherwise anybody in between could add orders. */
export const sheetUrl = textUpTo(2_000)
  .refine(
    (text) => text === '' || (/^https?:\/\/[^/\\?#]/i.test(text) && URL.canParse(text)),
    'A URL starts with https:// and names a host.',
  )
  .refine(
    (text) => !/^https?:\/\/[^/?#]*@/i.test(text),
    'A sheet is read without a sign-in: leave out user and password.',
  )
  .refine(
    (text) => !URL.canParse(text) || new URL(text).protocol !== 'http:' || isThisMachine(new URL(text).hostname),
    'Plain http:// is allowed on this machine only. Use https://.',
  );

/** Host names that lead to this machine: its name, and loopback and wildcard addresses, also as IPv4 addresses in IPv6 notation. */
const THIS_MACHINE =
  /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::(?:ffff:)?(?:7f[0-9a-f]{2}:[0-9a-f]+|0:0)\])\.?$/;

/** Whether the host of a URL, as `URL` normalizes it, is this machine. */
export function isThisMachine(hostname: string): boolean {
  return THIS_MACHINE.test(hostname);
}

/** Wildcard addresses and names, which cannot be opened. */
const NO_PLACE = /^(?:0\.0\.0\.0|\[::\]|.*\*.*)$/;

/** An address at which people open this station. A path, as with a proxy, is allowed but ignored. */
export const publicUrl = textUpTo(2_000)
  .refine(
    (text) => /^https?:\/\/[^\s\\{}]+$/i.test(text) && URL.canParse(text),
    'Write the address as a browser shows it, such as https://lights.shop.example/.',
  )
  .refine(
    (text) => !URL.canParse(text) || !NO_PLACE.test(new URL(text).hostname),
    'This address cannot be opened. Write each address separately.',
  )
  .refine(
    (text) => !/[?#]/.test(text) && !/^https?:\/\/[^/]*@/i.test(text),
    'Give only the address: no user, no password, nothing after "?" or "#".',
  );

const addressOrNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

export const proxy = textUpTo(100)
  .refine(
    (text) => addressOrNetwork.safeParse(text).success,
    'Write an address such as 192.168.1.2, or a network such as 10.0.0.0/8.',
  )
  .refine((text) => !text.endsWith('/0'), 'This would trust every caller. Name the addresses of your proxies.');

/** An `Origin` header as browsers send it: without a path, and never `null`, which any page can send. */
export const origin = textUpTo(1_000).refine(
  (text) => /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*A-Z]+$/.test(text) && URL.canParse(text),
  'An origin is scheme and host in lower case, such as https://shop.example.',
);
