/** Lets a place on an LED strip have several ranges of LEDs. Its first range stays in `link_places`. */
export const ledRanges = {
  name: '0013-ledRanges',
  sql: `
    -- The further ranges of a place.
    CREATE TABLE link_ranges (
      link_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      start INTEGER NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (link_id, number, start),
      FOREIGN KEY (link_id, number) REFERENCES link_places ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
  `,
};
