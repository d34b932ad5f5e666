/** Any path under `/api/` may begin with a word; only a DeviceID looks like this, with its colon percent-encoded or not. */
const DEVICE_ID = '(?<DeviceID>[0-9A-Fa-f]{6}(?::|%3[Aa])[0-9A-Fa-f]{6})';

/**
 * What is matched of the query-string interface with these sections: with its last slash or without it, and with commas,
 * colons and tildes as they stand or percent-encoded. Who opens such addresses: scripts and programs that put a line of text
 * into an address, and bookmarks. Contract, sections 2 and 5.
 */
export function addressWith(sections: readonly string[], { takesMore }: { takesMore: boolean }): RegExp {
  const groups = sections.map((name) => `/(?<${name}>[^/]*)`).join('');
  return new RegExp(`^/api/${DEVICE_ID}${groups}${takesMore ? '(?:/.*)?' : '/?'}$`);
}
