/** Tasks about stock. A shop without articles has no rows here. */
export const tasks = {
  name: '0006-tasks',
  sql: `
    -- How many lines were picked there, for the setting count_every.
    ALTER TABLE article_places ADD COLUMN visits INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE tasks (
      -- No id is used twice: callbacks and alerts name it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('replenish', 'count', 'put_back')),
      state TEXT NOT NULL CHECK (state IN ('open', 'done', 'dismissed', 'ended')),
      article_id INTEGER NOT NULL,
      -- As they were named when the task was opened or renamed.
      sku TEXT NOT NULL,
      place TEXT NOT NULL,
      place_key TEXT NOT NULL,
      -- Null: nobody knows how many.
      quantity INTEGER,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      -- Of a put_back.
      order_number TEXT,
      -- Null: no put_back, or its order is deleted.
      item_id INTEGER,
      -- Of a put_back of a deleted order: JSON, how many pieces came from which place.
      sources TEXT,
      -- Null while it is open.
      ended_at INTEGER,
      ended_by TEXT NOT NULL DEFAULT '',
      -- 1: it was told that it is overdue.
      is_overdue INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE UNIQUE INDEX tasks_open_place ON tasks (article_id, place_key, kind) WHERE state = 'open' AND kind <> 'put_back';
    CREATE UNIQUE INDEX tasks_open_item ON tasks (item_id) WHERE state = 'open' AND item_id IS NOT NULL;
    CREATE INDEX tasks_open_order ON tasks (order_number) WHERE state = 'open' AND order_number IS NOT NULL;
    CREATE INDEX tasks_open ON tasks (created_at) WHERE state = 'open';
  `,
};
