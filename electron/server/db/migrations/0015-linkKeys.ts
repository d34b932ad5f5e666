/** Keys of displays that encrypt. */
export const linkKeys = {
  name: '0015-linkKeys',
  sql: `
    -- The secret that the hardware at the address shares with the station; null: it encrypts nothing.
    ALTER TABLE turbo_links ADD COLUMN key TEXT;
  `,
};
