/** Finds the waiting lines that name an article, which takes them at their launch. A press changes none of these indexes. */
export const wantedLines = {
  name: '0006-wantedLines',
  sql: `
    CREATE INDEX items_waiting_sku ON items (sku COLLATE NOCASE) WHERE article_id IS NULL AND state = 'open' AND sku IS NOT NULL;
    CREATE INDEX items_waiting_upc ON items (upc COLLATE NOCASE) WHERE article_id IS NULL AND state = 'open' AND upc IS NOT NULL;
    CREATE INDEX items_waiting_name ON items (name COLLATE NOCASE) WHERE article_id IS NULL AND state = 'open' AND name IS NOT NULL;
  `,
};
