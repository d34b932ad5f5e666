/** Secrets that receivers must be told are sealed. The start does that, since SQL has no key. */
export const sealedSecrets = {
  name: '0016-sealedSecrets',
  sql: `
    -- Until the start has sealed them, and rewritten the file: it held them in plain text.
    INSERT OR REPLACE INTO meta (key, value) VALUES ('plain_secrets', '1');
  `,
};
