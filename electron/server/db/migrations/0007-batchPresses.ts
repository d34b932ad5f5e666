/** Stores what the last presses in a batch booked, for people who say that a press was theirs. */
export const batchPresses = {
  name: '0007-batchPresses',
  sql: `
    CREATE TABLE batch_pressed (
      batch_id INTEGER NOT NULL REFERENCES batches,
      -- Empty: a press at the place of the share.
      slot TEXT NOT NULL,
      share_id INTEGER NOT NULL,
      -- The pick that was pressed. Null: a press at a slot.
      pick_id INTEGER,
      -- Whose pieces they are. Empty: nobody in particular.
      held_by TEXT NOT NULL,
      quantity INTEGER NOT NULL,
      PRIMARY KEY (batch_id, slot, share_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
