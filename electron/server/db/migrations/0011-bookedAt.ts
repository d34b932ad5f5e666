/** Stores when the pieces of an item's last booking were picked, because an answer that corrects this booking belongs to that time. */
export const bookedAt = {
  name: '0011-bookedAt',
  sql: `
    -- When the pieces of last_booked were picked. Null if an earlier version booked them.
    ALTER TABLE items ADD COLUMN last_booked_at INTEGER;
  `,
};
