/** Merges the keys of confirmations and of MQTT commands into one table for all requests with a key. */
export const keyedRequests = {
  name: '0026-keyedRequests',
  sql: `
    CREATE TABLE keyed_requests (
      id INTEGER PRIMARY KEY,
      caller TEXT NOT NULL,
      key TEXT NOT NULL,
      -- Of method, path and body; empty: not known.
      digest TEXT NOT NULL,
      at INTEGER NOT NULL,
      -- HTTP status; null: not answered yet.
      status INTEGER,
      -- JSON, without secrets; null: an answer without a body.
      answer TEXT,
      UNIQUE (caller, key)
    ) STRICT;
    CREATE INDEX keyed_requests_at ON keyed_requests (at);
    -- Results of its use-cases until it is answered, JSON: after a stop, a repetition continues behind them.
    CREATE TABLE keyed_steps (
      request_id INTEGER NOT NULL REFERENCES keyed_requests (id) ON DELETE CASCADE,
      step INTEGER NOT NULL,
      item INTEGER NOT NULL,
      result TEXT NOT NULL,
      PRIMARY KEY (request_id, step, item)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO keyed_requests (caller, key, digest, at, status, answer)
      SELECT caller, key, '', at, 200,
        CASE answer ->> '$.what'
          WHEN 'acknowledge' THEN json_object(
            'deviceid', coalesce(answer ->> '$.answer.deviceId', ''),
            'command_id', answer ->> '$.answer.commandId',
            'qty', answer ->> '$.answer.qty',
            'elsewhere', json(coalesce(answer -> '$.answer.elsewhere', '[]')))
          WHEN 'adjust' THEN json_object(
            'deviceid', coalesce(answer ->> '$.answer.deviceId', ''),
            'command_id', answer ->> '$.answer.commandId',
            'quantity', answer ->> '$.answer.quantity')
          ELSE answer -> '$.answer'
        END
      FROM confirmations;
    INSERT INTO keyed_requests (caller, key, digest, at, status, answer)
      SELECT 'MQTT', key, '', at, coalesce(status, 409), coalesce(answer, json_object(
        'type', 'about:blank', 'title', 'Answer not known', 'status', 409,
        'detail', 'This command arrived before, and the station stopped before it answered. Check whether it took effect. To send it again, give it another id or nonce.',
        'code', 'conflict'))
      FROM mqtt_commands;
    DROP TABLE confirmations;
    DROP TABLE mqtt_commands;
  `,
};
