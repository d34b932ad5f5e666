/** E-mails about alerts: what no e-mail has told yet. */
export const mails = {
  name: '0007-mails',
  sql: `
    CREATE TABLE mails (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- JSON: an alert that was raised or has ended.
      notice TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
  `,
};
