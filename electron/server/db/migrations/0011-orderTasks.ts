/** Launches, aborts and removals of large orders that are not done yet. */
export const orderTasks = {
  name: '0011-orderTasks',
  sql: `
    CREATE TABLE order_tasks (
      order_id INTEGER PRIMARY KEY REFERENCES orders ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('launch', 'abort', 'remove')),
      -- Who asked for it.
      asked_by TEXT NOT NULL,
      -- Of a launch: the color that was asked for, and which lines: all; free: only those of nobody; or also those of picker.
      color TEXT,
      lines TEXT CHECK (lines IN ('all', 'free', 'picker')),
      picker TEXT,
      -- Of a launch: the items up to this id are done.
      done_to INTEGER NOT NULL
    ) STRICT;
  `,
};
