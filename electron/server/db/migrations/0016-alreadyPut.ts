/** Stores whose pieces a press at a slot has put, so that a restart within the next half minute keeps this. */
export const alreadyPut = {
  name: '0016-alreadyPut',
  sql: `
    -- Pieces that a press at a slot put while somebody else held pieces for the slot, too.
    CREATE TABLE batch_already (
      batch_id INTEGER NOT NULL REFERENCES batches,
      slot TEXT NOT NULL,
      picker TEXT NOT NULL,
      quantity INTEGER NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX batch_already_slot ON batch_already (batch_id, slot);
  `,
};
