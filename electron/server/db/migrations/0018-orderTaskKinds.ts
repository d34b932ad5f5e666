/** Also pauses and new colors of the lines of one picker, beside a launch of the same order. */
export const orderTaskKinds = {
  name: '0018-orderTaskKinds',
  sql: `
    ALTER TABLE order_tasks RENAME TO old_order_tasks;
    CREATE TABLE order_tasks (
      order_id INTEGER NOT NULL REFERENCES orders ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('launch', 'recolor', 'pause', 'abort', 'remove')),
      -- Who asked for it.
      asked_by TEXT NOT NULL,
      -- Of a launch: the color that was asked for, and which lines: all; free: only those of nobody; or also those of picker.
      color TEXT,
      lines TEXT CHECK (lines IN ('all', 'free', 'picker')),
      -- Of a new color or a pause: whose lines; null: those of nobody.
      picker TEXT,
      -- Of a launch or a new color: the items up to this id are done.
      done_to INTEGER NOT NULL,
      PRIMARY KEY (order_id, kind)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO order_tasks SELECT order_id, kind, asked_by, color, lines, picker, done_to FROM old_order_tasks;
    DROP TABLE old_order_tasks;
  `,
};
