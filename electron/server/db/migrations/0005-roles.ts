/**
 * Three roles of people: a picker could do what `control` can, and becomes that. Refused rights and changes of places are
 * counted apart in the activity. A station whose devices are all simulated is one for trying out.
 */
export const roles = {
  name: '0005-roles',
  sql: `
    -- Removing a table removes the rows that refer to it: sessions are kept aside.
    CREATE TEMP TABLE kept_users AS SELECT * FROM users;
    CREATE TEMP TABLE kept_sessions AS SELECT * FROM sessions;
    DELETE FROM sessions;
    DROP TABLE users;
    CREATE TABLE users (
      name_key TEXT PRIMARY KEY,
      username TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('picker', 'control', 'admin')),
      created_at INTEGER NOT NULL,
      signed_in_at INTEGER
    ) STRICT, WITHOUT ROWID;
    INSERT INTO users (name_key, username, password_hash, role, created_at, signed_in_at)
      SELECT name_key, username, password_hash, CASE role WHEN 'picker' THEN 'control' ELSE role END, created_at, signed_in_at
      FROM kept_users;
    INSERT INTO sessions SELECT * FROM kept_sessions;
    DROP TABLE kept_sessions;
    DROP TABLE kept_users;

    DROP INDEX audit_aliases;
    DROP INDEX audit_changes;
    CREATE INDEX audit_rights ON audit (id) WHERE action = 'right.refused';
    CREATE INDEX audit_places ON audit (id)
      WHERE action IN ('alias.added', 'alias.changed', 'alias.removed', 'aliases.imported', 'aliases.importUndone',
        'label.changed', 'map.changed');
    CREATE INDEX audit_changes ON audit (id)
      WHERE action NOT IN ('session.refused', 'session.opened', 'session.ended', 'right.refused',
        'alias.added', 'alias.changed', 'alias.removed', 'aliases.imported', 'aliases.importUndone',
        'label.changed', 'map.changed');

    INSERT INTO meta (key, value)
      SELECT 'demo_shop', '1'
      WHERE EXISTS (SELECT 1 FROM places)
        AND NOT EXISTS (SELECT 1 FROM devices WHERE device_id NOT IN (SELECT device_id FROM simulated_devices));
  `,
};
