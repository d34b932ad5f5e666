/** Stores who has left a batch, because a batch without a picker does not tell whose hands nobody uses any more. */
export const leftBatches = {
  name: '0009-leftBatches',
  sql: `
    -- People who left a batch and do not pick it now. Their pieces in hand light nothing.
    CREATE TABLE batch_left (
      batch_id INTEGER NOT NULL REFERENCES batches,
      name TEXT NOT NULL,
      PRIMARY KEY (batch_id, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO batch_left (batch_id, name)
      SELECT DISTINCT batch_id, held_by FROM batch_hands JOIN batches ON batches.id = batch_id
      WHERE held_by <> '' AND picker IS NOT NULL AND held_by <> picker
        AND NOT EXISTS (SELECT 1 FROM batch_pickers AS helpers WHERE helpers.batch_id = batches.id AND helpers.name = held_by);
  `,
};
