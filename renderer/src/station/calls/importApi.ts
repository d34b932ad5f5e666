import type { AnyImport, ImportEntry, ImportRequest } from '#shared/api/imports.ts';
import type { Draft } from '#shared/api/importDrafts.ts';
import type { TableField, TableKind } from '#shared/lib/tables/fields.ts';
import { type ApiCall, type TagOf } from './call.ts';

/** A file, or the address of a sheet. `name` is its display name. */
export type ImportSource = { name: string } & ({ file: Blob } | { url: string });
/** Options for reading a file. */
export type ImportOptions = Partial<Omit<ImportRequest, 'csv' | 'dry_run' | 'kind' | 'url'>>;
export type ImportCells = Partial<Record<TableField, string>>;

/** Corrected cells of one row. `line` is the row's line number. */
type ImportCorrection = { line: number; cells: ImportCells };
type NewPreview = { kind: TableKind; source: ImportSource; options: ImportOptions };

function formOf(file: Blob, name: string, options: object): FormData {
  const form = new FormData();
  form.append('options', JSON.stringify(options));
  form.append('file', file, name);
  return form;
}

/** Returns the calls for file imports: previews, imports and undos. */
export function importApi(call: ApiCall, tagOf: TagOf) {
  const draftTag = (seen: Draft) =>
    tagOf<Draft>({ rows: seen.rows }, seen, (options) => call('getImportDraft', { path: { id: seen.id } }, options));
  return {
    /**
     * Creates a preview of a file. Rejects with `invalid` if the file cannot be read. The error's fields below
     * `/encoding` and `/sheet` are the possible answers to a question.
     */
    previewImport({ kind, source, options }: NewPreview, signal: AbortSignal): Promise<AnyImport> {
      const how = { ...options, kind, dry_run: true };
      const body = 'url' in source ? { ...how, url: source.url } : formOf(source.file, source.name, how);
      return call('createImport', { body }, { signal });
    },
    /**
     * Returns how many orders or places were undone, and why others were kept. `name` is the name of a place, or the
     * order number.
     */
    async undoImport(id: number): Promise<{ undone: number; kept: { name: string; message: string }[] }> {
      const { undone, kept } = await call('undoImport', { path: { id } });
      return {
        undone,
        kept: kept.map((each) => ({ name: 'name' in each ? each.name : each.order_number, message: each.message })),
      };
    },
    /**
     * Corrects a row of a draft. `seen` is the draft as the person saw it. Rejects with `changed` if its rows have
     * changed since.
     */
    async correctImportDraft(seen: Draft, row: ImportCorrection): Promise<Draft> {
      const ifMatch = await draftTag(seen);
      return call('correctImportDraft', { path: { id: seen.id }, body: { rows: [row] } }, { ifMatch });
    },
    /** Creates the draft's order and returns the order's number. `seen` has the same effect as for `correctImportDraft`. */
    async createOrderFromDraft(seen: Draft): Promise<string> {
      const ifMatch = await draftTag(seen);
      const { order_number } = await call('createOrderFromDraft', { path: { id: seen.id } }, { ifMatch });
      return order_number;
    },
    /** Discards a draft. `seen` has the same effect as for `correctImportDraft`. */
    async discardImportDraft(seen: Draft): Promise<void> {
      const ifMatch = await draftTag(seen);
      await call('discardImportDraft', { path: { id: seen.id } }, { ifMatch });
    },
    /**
     * Loads the last import of this kind that changed something, if it was undone and can be restored. Resolves to null otherwise. For
     * orders, only the imports of `person` count.
     */
    async loadUndoneImport(kind: ImportEntry['kind'], person: string): Promise<ImportEntry | null> {
      const imports = await call('listImports');
      const last = imports.find(
        (each) =>
          each.kind === kind &&
          (kind !== 'orders' || each.by === person) &&
          (each.state === 'imported' || each.state === 'undone') &&
          each.counts.new + each.counts.changed > 0,
      );
      return last?.state === 'undone' && last.redo_until !== null ? last : null;
    },
    /** Loads the last article import, by any person, that changed something. Resolves to null if there is nothing to undo. */
    async loadLastArticleImport(): Promise<ImportEntry | null> {
      const imports = await call('listImports');
      return (
        imports.find(({ kind, state, undoable }) => kind === 'articles' && state === 'imported' && undoable > 0) ?? null
      );
    },
    /** Loads this person's last import that created or changed orders. Resolves to null if there is none, or if it was undone. */
    async loadLastOrderImport(person: string): Promise<ImportEntry | null> {
      const imports = await call('listImports');
      const isLast = ({ kind, state, by, counts }: ImportEntry): boolean =>
        kind === 'orders' && state === 'imported' && by === person && counts.new + counts.changed > 0;
      return imports.find(isLast) ?? null;
    },
  };
}
