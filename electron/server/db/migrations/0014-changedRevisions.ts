/** Finds the orders and articles that changed after a commit, even if the clock was set, and unfinished items by their nonce. Keeps keys of requests valid. */
export const changedRevisions = {
  name: '0014-changedRevisions',
  sql: `
    -- Revision of the commit that last changed any part. Earlier rows have the last revision at the time of the migration.
    ALTER TABLE orders ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    UPDATE orders SET revision = (SELECT coalesce(max(revision), 1) FROM commits);
    -- Covers ended orders only, because a press of an open order would write one more page.
    CREATE INDEX orders_ended_revision ON orders (revision) WHERE state IN ('fulfilled', 'aborted');
    ALTER TABLE articles ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    UPDATE articles SET revision = (SELECT coalesce(max(revision), 1) FROM commits);
    CREATE INDEX articles_revision ON articles (revision);
    -- Digests are computed in another way from now on. Without one, a repetition gets the first answer whatever its content.
    UPDATE keyed_requests SET digest = '';
    CREATE INDEX items_callback_nonce ON items (callback_nonce) WHERE callback_nonce IS NOT NULL AND state IN ('open', 'active');
  `,
};
