/**
 * Adds the revision, time and quantity of its event to each callback, and the number of attempts that do not advance its retry schedule.
 * Revision, time and quantity of existing callbacks stay null.
 */
export const callbackEvents = {
  name: '0027-callbackEvents',
  sql: `
    -- Revision of the commit that wrote it; null: written before this migration.
    ALTER TABLE outbox ADD COLUMN revision INTEGER;
    -- Epoch milliseconds; null: written before this migration.
    ALTER TABLE outbox ADD COLUMN event_at INTEGER;
    ALTER TABLE outbox ADD COLUMN picked INTEGER;
    -- Attempts before they were due, and those before a replay.
    ALTER TABLE outbox ADD COLUMN uncounted_attempts INTEGER NOT NULL DEFAULT 0;
  `,
} as const;
