/** Stores the shop's logo, which packing slips show. */
export const logo = {
  name: '0022-logo',
  sql: `
    -- At most one row: in the database, so that backups contain it.
    CREATE TABLE logo (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- Of the content: the same picture has the same version.
      version TEXT NOT NULL,
      -- WebP.
      content BLOB NOT NULL
    ) STRICT;
  `,
};
