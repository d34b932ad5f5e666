/** Further receivers of callbacks, and indexes for the deliveries of one receiver. */
export const callbackReceivers = {
  name: '0029-callbackReceivers',
  sql: `
    -- An id is the receiver in outbox and is never used again. families: JSON. api_key and signing_secret are sealed.
    CREATE TABLE callback_receivers (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name_key TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      url TEXT NOT NULL,
      families TEXT NOT NULL,
      paused INTEGER NOT NULL,
      -- How long the station had run when it was last resumed, in milliseconds.
      resumed_ran_ms INTEGER NOT NULL,
      api_key TEXT,
      signing_secret TEXT
    ) STRICT;
    -- In outbox 0 is HTTP and 1 is MQTT.
    INSERT INTO sqlite_sequence (name, seq) VALUES ('callback_receivers', 1);

    DROP INDEX outbox_dead;
    CREATE INDEX outbox_dead ON outbox (id, receiver) WHERE state = 'dead';
    -- Callbacks for the callback URL only cost no page here.
    CREATE INDEX outbox_receiver ON outbox (receiver, id) WHERE receiver > 0;
  `,
};
