/** Pattern for a DeviceID with a plain or percent-encoded colon. No other path under `/api/` starts like this. */
const DEVICE_ID = '(?<DeviceID>[0-9A-Fa-f]{6}(?::|%3[Aa])[0-9A-Fa-f]{6})';

/**
 * Returns a pattern for addresses of the query-string interface with these sections. A trailing slash is optional, and commas, colons and
 * tildes can be plain or percent-encoded. For scripts and programs that put a line of text into an address, and for bookmarks. Contract,
 * sections 2 and 5.
 */
export function addressWith(sections: readonly string[], { takesMore }: { takesMore: boolean }): RegExp {
  const groups = sections.map((name) => `/(?<${name}>[^/]*)`).join('');
  return new RegExp(`^/api/${DEVICE_ID}${groups}${takesMore ? '(?:/.*)?' : '/?'}$`);
}
