/** Stores the files that left the inbox, so that the station notices later growth even after a restart. */
export const movedFiles = {
  name: '0015-movedFiles',
  sql: `
    -- Files in done or failed that are compared with what was read of them.
    CREATE TABLE moved_files (
      -- Path of done or failed.
      folder TEXT NOT NULL,
      target TEXT NOT NULL,
      -- Name in the inbox.
      name TEXT NOT NULL,
      -- Size and SHA-256 of what was read.
      size INTEGER NOT NULL,
      hash TEXT NOT NULL,
      moved_at INTEGER NOT NULL,
      PRIMARY KEY (folder, target)
    ) STRICT, WITHOUT ROWID;
  `,
};
