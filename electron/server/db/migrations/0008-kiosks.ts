/**
 * Sessions that began with a PIN at a kiosk, pickers who signed out and keep their orders for a while, and articles found by a
 * scanned code.
 */
export const kioskSessions = {
  name: '0008-kiosks',
  sql: `
    -- The kiosk at which it began; null: with a password.
    ALTER TABLE sessions ADD COLUMN kiosk_id INTEGER REFERENCES kiosks ON DELETE CASCADE;
    CREATE INDEX sessions_kiosk ON sessions (kiosk_id) WHERE kiosk_id IS NOT NULL;
    -- When the picker signed out, in forward time of the station; null: has not.
    ALTER TABLE order_pickers ADD COLUMN away_at INTEGER;
    CREATE INDEX order_pickers_away ON order_pickers (away_at) WHERE away_at IS NOT NULL;

    CREATE INDEX items_sku ON items (sku COLLATE NOCASE) WHERE sku IS NOT NULL;
    CREATE INDEX items_upc ON items (upc COLLATE NOCASE) WHERE upc IS NOT NULL;
    CREATE INDEX items_name ON items (name COLLATE NOCASE) WHERE name IS NOT NULL;
  `,
};
