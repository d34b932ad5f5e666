/** What a press counts from, and when a device was pressed last. Of what is lit already, nothing is known: it counts as before. */
export const frozenShows = {
  name: '0020-frozenShows',
  sql: `
    ALTER TABLE commands ADD COLUMN base INTEGER;
    ALTER TABLE report_windows ADD COLUMN pressed_at INTEGER;
  `,
};
