/** Adds the remembered answers about columns, by the set of column names. */
export const rememberedColumns = {
  name: '0024-rememberedColumns',
  sql: `
    CREATE TABLE remembered_columns (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('orders', 'locations')),
      -- The sorted column names, JSON.
      names TEXT NOT NULL,
      -- How to read these files, JSON.
      answers TEXT NOT NULL,
      used_at INTEGER NOT NULL,
      done_by TEXT NOT NULL,
      UNIQUE (kind, names)
    ) STRICT;
  `,
};
