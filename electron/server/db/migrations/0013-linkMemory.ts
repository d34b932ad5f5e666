/** What a link keeps of the hardware behind it, such as what each tag shows. */
export const linkMemory = {
  name: '0013-linkMemory',
  sql: `
    CREATE TABLE link_memory (
      link_id INTEGER NOT NULL REFERENCES turbo_links ON DELETE CASCADE,
      key TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (link_id, key)
    ) STRICT, WITHOUT ROWID;
  `,
};
