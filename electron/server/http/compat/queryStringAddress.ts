/** A DeviceID with its colon plain or percent-encoded. No other path under `/api/` begins like this. */
const DEVICE_ID = '(?<DeviceID>[0-9A-Fa-f]{6}(?::|%3[Aa])[0-9A-Fa-f]{6})';

/**
 * Matches addresses of the query-string interface with these sections, with or without the last slash, and with commas, colons
 * and tildes plain or percent-encoded. Who opens such addresses: scripts and programs that put a line of text into an address,
 * and bookmarks. Contract, sections 2 and 5.
 */
export function addressWith(sections: readonly string[], { takesMore }: { takesMore: boolean }): RegExp {
  const groups = sections.map((name) => `/(?<${name}>[^/]*)`).join('');
  return new RegExp(`^/api/${DEVICE_ID}${groups}${takesMore ? '(?:/.*)?' : '/?'}$`);
}
