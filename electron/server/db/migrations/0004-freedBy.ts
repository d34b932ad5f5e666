/** Stores who freed a slot of a batch. */
export const freedBy = {
  name: '0004-freedBy',
  sql: `
    -- Null: not freed, or freed before this was stored.
    ALTER TABLE batch_slots ADD COLUMN freed_by TEXT;
  `,
};
