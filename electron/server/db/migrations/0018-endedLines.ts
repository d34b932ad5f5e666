/** Stores which part of an order has ended elsewhere, because a decision to continue the order covers only this part. */
export const endedLines = {
  name: '0018-endedLines',
  sql: `
    -- JSON: the lines and pieces that have ended according to files. Null: the whole order.
    ALTER TABLE orders ADD COLUMN ended_lines TEXT;
  `,
};
