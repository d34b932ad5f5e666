/**
 * Deliveries count the time in which the station ran, not the wall clock. Those that wait already get all of their time again.
 */
export const stationTime = {
  name: '0003-stationTime',
  sql: `
    -- One row. Forward time is the wall clock, but it never goes back; saved_at is the wall clock itself.
    CREATE TABLE station_time (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      ran_ms INTEGER NOT NULL,
      forward_at INTEGER NOT NULL,
      saved_at INTEGER NOT NULL
    ) STRICT;

    -- How long the station had run when the delivery was created, or replayed. next_attempt_at is forward time.
    ALTER TABLE outbox ADD COLUMN since_ran_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE outbox DROP COLUMN since_at;
  `,
} as const;
