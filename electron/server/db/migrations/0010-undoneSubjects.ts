/** Finds what imports and their undos changed by its order, article or alias, which gets a new id when a redo creates it again. */
export const undoneSubjects = {
  name: '0010-undoneSubjects',
  sql: `
    CREATE INDEX import_undone_subjects ON import_undone (subject, import_id);
    CREATE INDEX import_places_aliases ON import_places (alias_id);
  `,
};
