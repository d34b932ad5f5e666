/**
 * Adds to each callback when it happened and the quantity that it added, and how many attempts its retry schedule does not count. Of
 * existing callbacks, revision, time and quantity are not known.
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
