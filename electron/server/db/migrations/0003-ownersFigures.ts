/** Screens on a wall, and what the figures of owners need of a line: orders are removed sooner than their lines. */
export const ownersFigures = {
  name: '0003-ownersFigures',
  sql: `
    -- A line with an empty picker belonged to nobody.
    -- Of the item; empty: not given.
    ALTER TABLE picks ADD COLUMN sku TEXT NOT NULL DEFAULT '';
    ALTER TABLE picks ADD COLUMN name TEXT NOT NULL DEFAULT '';
    -- The alias, the label or the DeviceID; without a device the text of the order.
    ALTER TABLE picks ADD COLUMN place TEXT NOT NULL DEFAULT '';
    -- Of a short; empty: not given.
    ALTER TABLE picks ADD COLUMN reason TEXT NOT NULL DEFAULT '';
    -- From the light to the press; null: not pressed, or not known.
    ALTER TABLE picks ADD COLUMN light_ms INTEGER;

    -- Screens that show the wall board.
    CREATE TABLE screens (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      secret_hash TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
    ) STRICT;
  `,
};
