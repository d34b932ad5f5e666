/** Batches that are sorted into a wall, also after they were picked onto a cart. */
export const wallBatches = {
  name: '0009-wallBatches',
  sql: `
    -- Of a batch that is picked in bulk: the cart onto which it is picked. carrier_id is the wall.
    ALTER TABLE batches ADD COLUMN cart_id INTEGER;
    ALTER TABLE batches ADD COLUMN cart_name TEXT;
    -- Launched (state 'picking'), and its pieces go into the wall now.
    ALTER TABLE batches ADD COLUMN is_sorting INTEGER NOT NULL DEFAULT 0;
    -- Shipments of one piece take no slot of a wall.
    ALTER TABLE batches ADD COLUMN has_singles INTEGER NOT NULL DEFAULT 0;
    CREATE UNIQUE INDEX batches_live_cart ON batches (cart_id) WHERE cart_id IS NOT NULL AND state <> 'done';
    -- Pieces that somebody scanned at the wall, and that are not in their slots yet.
    CREATE TABLE batch_scanned (
      batch_id INTEGER NOT NULL REFERENCES batches,
      position INTEGER NOT NULL,
      held_by TEXT NOT NULL,
      share_id INTEGER NOT NULL,
      quantity INTEGER NOT NULL,
      PRIMARY KEY (batch_id, position)
    ) STRICT, WITHOUT ROWID;
  `,
};
