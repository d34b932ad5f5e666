/** Stores when an order was placed, whether it is paid, and the address of its customer. */
export const orderAddresses = {
  name: '0021-orderAddresses',
  sql: `
    ALTER TABLE orders ADD COLUMN ordered_at INTEGER;
    -- Null: unknown.
    ALTER TABLE orders ADD COLUMN is_paid INTEGER;
    -- JSON, as in the API. Read only for one order. Null: none.
    ALTER TABLE orders ADD COLUMN address TEXT;
  `,
};
