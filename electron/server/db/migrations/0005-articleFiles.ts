/** Pictures of articles, and what imports of articles changed. */
export const articleFiles = {
  name: '0005-articleFiles',
  sql: `
    -- In the database, so that backups contain them.
    CREATE TABLE article_pictures (
      article_id INTEGER PRIMARY KEY REFERENCES articles ON DELETE CASCADE,
      -- Of the content: the same picture has the same version.
      version TEXT NOT NULL CHECK (length(version) = 12 AND version NOT GLOB '*[^0-9a-f]*'),
      -- WebP, and a small one for lists.
      content BLOB NOT NULL,
      small BLOB NOT NULL
    ) STRICT;

    -- Articles that an import created or changed. Some may have been deleted since.
    CREATE TABLE import_articles (
      import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      article_id INTEGER NOT NULL,
      -- The changed fields and the stock of places, JSON: as they were (null: the import created the article), and as imported.
      before TEXT,
      after TEXT NOT NULL,
      PRIMARY KEY (import_id, article_id)
    ) STRICT, WITHOUT ROWID;

    -- The same with a third kind.
    CREATE TABLE remembered_columns_new (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('orders', 'articles', 'locations')),
      -- The sorted column names, JSON.
      names TEXT NOT NULL,
      -- How to read these files, JSON.
      answers TEXT NOT NULL,
      used_at INTEGER NOT NULL,
      done_by TEXT NOT NULL,
      UNIQUE (kind, names)
    ) STRICT;
    INSERT INTO remembered_columns_new SELECT id, kind, names, answers, used_at, done_by FROM remembered_columns;
    DROP TABLE remembered_columns;
    ALTER TABLE remembered_columns_new RENAME TO remembered_columns;
  `,
};
