/**
 * Stores what late presses need: who had a line when it was pressed, which command shows the same content now, and the presses of a device
 * that belong to no command.
 */
export const formerPickers = {
  name: '0020-formerPickers',
  sql: `
    -- JSON: the last pickers before the current one, each with the time until which the person had the line. Null: no others.
    ALTER TABLE items ADD COLUMN former_pickers TEXT;
    ALTER TABLE batch_picks ADD COLUMN former_pickers TEXT;
    ALTER TABLE batches ADD COLUMN former_pickers TEXT;
    -- The first of the commands that were replaced by equal ones, until this one. Null: it replaced none.
    ALTER TABLE commands ADD COLUMN first_equal INTEGER;
    -- Late presses for tokens of no command.
    CREATE INDEX history_unknown ON history (device_id, at) WHERE kind = 'late' AND command_id IS NULL;
  `,
};
