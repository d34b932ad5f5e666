/** Articles, their places and what moved there. A shop without articles has no rows here. */
export const articlesAndStock = {
  name: '0004-articlesAndStock',
  sql: `
    -- Keys are names in the form in which they are compared.
    CREATE TABLE articles (
      -- No id is used twice: movements name it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sku TEXT NOT NULL,
      sku_key TEXT NOT NULL UNIQUE,
      -- Empty: not given, as for the other texts.
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      description TEXT NOT NULL,
      unit TEXT NOT NULL,
      note TEXT NOT NULL,
      is_active INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX articles_name ON articles (name_key, id);
    CREATE INDEX articles_updated ON articles (updated_at, id);

    CREATE TABLE article_barcodes (
      code_key TEXT PRIMARY KEY,
      code TEXT NOT NULL,
      article_id INTEGER NOT NULL REFERENCES articles ON DELETE CASCADE,
      position INTEGER NOT NULL,
      -- Pieces that the code stands for.
      quantity INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX article_barcodes_article ON article_barcodes (article_id, position);

    CREATE TABLE article_places (
      article_id INTEGER NOT NULL REFERENCES articles ON DELETE CASCADE,
      place_key TEXT NOT NULL,
      place TEXT NOT NULL,
      position INTEGER NOT NULL,
      priority INTEGER,
      minimum INTEGER,
      maximum INTEGER,
      -- Null: not counted.
      on_hand INTEGER,
      -- 1: somebody found the place empty, and it is not counted.
      is_empty INTEGER NOT NULL DEFAULT 0,
      -- The last movement here; null: none.
      movement_id INTEGER,
      PRIMARY KEY (article_id, place_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX article_places_place ON article_places (place_key);

    -- Keeps the names of its time: article, order and place may have been removed since.
    CREATE TABLE movements (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('pick', 'short', 'put_away', 'count', 'adjust', 'transfer', 'import')),
      article_id INTEGER NOT NULL,
      place TEXT NOT NULL,
      place_key TEXT NOT NULL,
      device_id TEXT NOT NULL,
      delta INTEGER NOT NULL,
      -- Afterwards; null: not counted, or the article does not have the place.
      on_hand INTEGER,
      sku TEXT NOT NULL,
      order_number TEXT,
      shipment_number TEXT,
      item_id INTEGER,
      ordered INTEGER,
      fulfilled INTEGER,
      reason TEXT NOT NULL,
      picker TEXT NOT NULL,
      done_by TEXT NOT NULL,
      nonce TEXT NOT NULL,
      -- Key of the caller who posted it, and what was posted as JSON; null: none.
      key TEXT,
      asked TEXT
    ) STRICT;
    CREATE INDEX movements_key ON movements (key, done_by) WHERE key IS NOT NULL;
    CREATE INDEX movements_article ON movements (article_id, id);
    CREATE INDEX movements_place ON movements (place_key, id);
    CREATE INDEX movements_order ON movements (order_number, id) WHERE order_number IS NOT NULL;

    -- The article of an item, and the place that it took when it was launched; null: none yet.
    ALTER TABLE items ADD COLUMN article_id INTEGER;
    ALTER TABLE items ADD COLUMN place TEXT;
    ALTER TABLE items ADD COLUMN place_key TEXT;
    CREATE INDEX items_article ON items (article_id) WHERE article_id IS NOT NULL;
    -- What is allocated. A press of an item without an article writes no page here.
    CREATE INDEX items_allocated ON items (article_id, place_key)
      WHERE article_id IS NOT NULL AND state IN ('open', 'active');
    CREATE INDEX items_place ON items (place_key) WHERE place_key IS NOT NULL;

    -- How many pieces of an item came from which place, in the order in which they were picked.
    CREATE TABLE item_sources (
      item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      position INTEGER NOT NULL,
      article_id INTEGER NOT NULL,
      place TEXT NOT NULL,
      place_key TEXT NOT NULL,
      quantity INTEGER NOT NULL,
      PRIMARY KEY (item_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX item_sources_place ON item_sources (place_key);
    CREATE INDEX item_sources_article ON item_sources (article_id);

    -- Places that a short found empty, until it is undone.
    CREATE TABLE emptied_places (
      item_id INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
      article_id INTEGER NOT NULL,
      place_key TEXT NOT NULL,
      -- The movement that emptied it.
      movement_id INTEGER NOT NULL,
      -- Before; null: not counted.
      on_hand INTEGER,
      -- Whether it was known to be empty before.
      was_empty INTEGER NOT NULL
    ) STRICT;
  `,
};
