/**
 * Which rows of history are about a device: like those about a command, written later and not by presses, each of which wrote
 * a page of an index.
 */
export const historyDevices = {
  name: '0017-historyDevices',
  sql: `
    -- In blocks of 2^14 rows, of which only the newest is written to. What is newer than history_indexed in meta is missing.
    CREATE TABLE history_devices (
      block INTEGER NOT NULL,
      device TEXT NOT NULL,
      history_id INTEGER NOT NULL,
      PRIMARY KEY (block, device, history_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO history_devices (block, device, history_id)
      SELECT id >> 14, device_id, id FROM history INDEXED BY history_device
      WHERE id <= coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'history_indexed'), 0)
      ORDER BY id >> 14, device_id, id;
    DROP INDEX history_device;
  `,
};
