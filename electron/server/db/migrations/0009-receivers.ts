/** Callbacks for two receivers, each with a row of its own, and commands over MQTT that arrived within the last day. */
export const receivers = {
  name: '0009-receivers',
  sql: `
    -- 0: HTTP, 1: MQTT.
    ALTER TABLE outbox ADD COLUMN receiver INTEGER NOT NULL DEFAULT 0;
    -- The row whose number its webhook id has; null: its own. Both rows of one callback have the same webhook id.
    ALTER TABLE outbox ADD COLUMN webhook_number INTEGER;
    DROP INDEX outbox_due;
    CREATE INDEX outbox_due ON outbox (receiver, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;

    -- key: the id of the message, or its nonce with its target. status and answer: null until they are known.
    CREATE TABLE mqtt_commands (
      key TEXT PRIMARY KEY,
      at INTEGER NOT NULL,
      status INTEGER,
      answer TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mqtt_commands_at ON mqtt_commands (at);
  `,
} as const;
