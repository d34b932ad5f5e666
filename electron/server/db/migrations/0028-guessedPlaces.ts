/** Stores whether the place of an item was guessed: the places of existing items count as certain. Sorts ended orders by state. */
export const guessedPlaces = {
  name: '0028-guessedPlaces',
  sql: `
    ALTER TABLE items ADD COLUMN is_guessed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE orders ADD COLUMN guessed_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shipments ADD COLUMN guessed_count INTEGER NOT NULL DEFAULT 0;

    DROP INDEX orders_attention;
    CREATE INDEX orders_attention ON orders (order_number)
      WHERE state IN ('open', 'in_progress')
          AND (timed_out_count > 0 OR unassigned_count > 0 OR unreachable_count > 0 OR guessed_count > 0 OR is_stalled = 1)
        OR state = 'fulfilled' AND unassigned_count > 0;

    -- Of one state, the oldest is found without reading the orders of the other.
    DROP INDEX orders_ended;
    CREATE INDEX orders_ended ON orders (state, updated_at) WHERE state IN ('fulfilled', 'aborted');

    -- A part of a name counts only if no other device has a name with it.
    CREATE TRIGGER place_names_alias_moved AFTER UPDATE OF device_id ON location_aliases WHEN OLD.device_id <> NEW.device_id
      BEGIN UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'place_names'; END;
  `,
};
