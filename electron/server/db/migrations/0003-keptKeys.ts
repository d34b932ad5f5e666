/** Keeps the keys of stock movements for ever, and stores questions about stock and when a place was counted. */
export const keptKeys = {
  name: '0003-keptKeys',
  sql: `
    -- Whose key it is: the name of a program, or a person's name and when that person was added. Null: the first movement of a transfer,
    -- or a later movement with a key that was used before.
    ALTER TABLE movements ADD COLUMN key_caller TEXT;
    -- What the person who picked was asked about the place. Null: nothing.
    ALTER TABLE movements ADD COLUMN question TEXT CHECK (question IN ('empty', 'count'));
    -- The command that asks it on a device. Null: none.
    ALTER TABLE movements ADD COLUMN question_command_id INTEGER;
    -- Null: not answered.
    ALTER TABLE movements ADD COLUMN answered_at INTEGER;
    UPDATE movements SET key_caller = COALESCE(
      (SELECT name_key || char(10) || created_at FROM users WHERE username = done_by AND created_at <= movements.at), lower(done_by))
      WHERE key IS NOT NULL;
    UPDATE movements SET key_caller = NULL WHERE key IS NOT NULL AND EXISTS (
      SELECT 1 FROM movements AS earlier WHERE earlier.key = movements.key AND earlier.key_caller = movements.key_caller
        AND earlier.id < movements.id);
    DROP INDEX movements_key;
    CREATE UNIQUE INDEX movements_key ON movements (key_caller, key) WHERE key_caller IS NOT NULL;
    CREATE INDEX movements_question ON movements (article_id, place_key, id) WHERE question IS NOT NULL;
    CREATE INDEX movements_question_command ON movements (question_command_id) WHERE question_command_id IS NOT NULL;

    -- When the place was last counted or found empty. Null: never.
    ALTER TABLE article_places ADD COLUMN counted_at INTEGER;
    UPDATE article_places SET counted_at = (SELECT max(at) FROM movements
      WHERE movements.article_id = article_places.article_id AND movements.place_key = article_places.place_key
        AND (kind IN ('count', 'import') OR (kind = 'short' AND reason = 'missing')));

    -- A person who was removed and added again is another caller.
    UPDATE OR REPLACE keyed_requests SET caller = COALESCE(
      (SELECT name_key || char(10) || created_at FROM users WHERE username = caller AND created_at <= keyed_requests.at), lower(caller));
  `,
};
