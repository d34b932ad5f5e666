/** Lets several people pick a batch, and stores where pieces were missing, so that they can be picked at other places. */
export const sharedBatches = {
  name: '0002-sharedBatches',
  sql: `
    -- People who joined the picker of a batch, in the order in which they joined.
    CREATE TABLE batch_pickers (
      batch_id INTEGER NOT NULL REFERENCES batches,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      color TEXT NOT NULL,
      PRIMARY KEY (batch_id, position)
    ) STRICT, WITHOUT ROWID;
    -- Which of them has it. Null: the picker of the batch.
    ALTER TABLE batch_picks ADD COLUMN picker TEXT;
    -- The place of the article where it is. Null: it has none.
    ALTER TABLE batch_picks ADD COLUMN place TEXT;
    -- The last pick, until something else is confirmed: its pieces can be given to other shares.
    ALTER TABLE batches ADD COLUMN last_pick_id INTEGER;
    -- When somebody last did something, and whether that is too long ago.
    ALTER TABLE batches ADD COLUMN worked_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batches ADD COLUMN is_stalled INTEGER NOT NULL DEFAULT 0;
    UPDATE batches SET worked_at = updated_at;
    -- Places where pieces of an item were missing, so that they are looked for elsewhere.
    CREATE TABLE batch_missing (
      batch_id INTEGER NOT NULL REFERENCES batches,
      item_id INTEGER NOT NULL,
      place_key TEXT NOT NULL,
      PRIMARY KEY (batch_id, item_id, place_key)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX batch_shares_short ON batch_shares (item_id) WHERE ending = 'short';

    -- The same table, with several places of one item.
    CREATE TABLE emptied_places_new (
      item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      article_id INTEGER NOT NULL,
      place_key TEXT NOT NULL,
      -- The movement that emptied it.
      movement_id INTEGER NOT NULL,
      -- Before; null: not counted.
      on_hand INTEGER,
      -- Whether it was known to be empty before.
      was_empty INTEGER NOT NULL,
      PRIMARY KEY (item_id, place_key)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO emptied_places_new SELECT item_id, article_id, place_key, movement_id, on_hand, was_empty FROM emptied_places;
    DROP TABLE emptied_places;
    ALTER TABLE emptied_places_new RENAME TO emptied_places;
  `,
};
