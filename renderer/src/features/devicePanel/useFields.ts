import { useCallback, useEffect } from 'react';
import { useDraft } from '../composer/drafts.ts';

/** A field that was typed into: what is typed, and what the station had when that began. */
type Edited = { typed: string; base: string };
type Edits = Readonly<Record<string, Edited>>;

/** The fields of an editor over something that others may change at the same time. */
export type EditorFields<K extends string> = {
  /** What the fields show: what is typed, else what the station has. */
  values: Readonly<Record<K, string>>;
  /** The fields that differ from what the station has: what is to be sent. */
  changed: readonly K[];
  /** What somebody else has made of a field that is being edited here. */
  theirs: Partial<Record<K, string>>;
  set(field: K, typed: string): void;
  /** Forgets what was typed into these fields, or into all; answers what brings it back. */
  forget(fields?: readonly K[]): () => void;
};

const NOTHING: Edits = {};

/** Edits `current`, field by field. What is typed is kept under `name` until it is sent or forgotten. */
export function useFields<K extends string>(name: string, current: Readonly<Record<K, string>>): EditorFields<K> {
  const [edits, setEdits] = useDraft(name, parseEdits);
  const keys = Object.keys(current) as K[];
  const edited = (field: K): Edited | undefined => edits[field];

  // A value that the station has is no longer an edit.
  const settled = keys.filter((field) => edited(field)?.typed === current[field]).join(' ');
  const drop = useCallback(
    (fields: readonly string[]) => {
      const rest = Object.entries(edits).filter(([field]) => !fields.includes(field));
      setEdits(rest.length === 0 ? undefined : Object.fromEntries(rest));
    },
    [edits, setEdits],
  );
  useEffect(() => {
    if (settled !== '') drop(settled.split(' '));
  }, [settled, drop]);

  const theirs: Partial<Record<K, string>> = {};
  const values: Record<K, string> = { ...current };
  const changed: K[] = [];
  for (const field of keys) {
    const edit = edited(field);
    if (edit === undefined || edit.typed === current[field]) continue;
    values[field] = edit.typed;
    changed.push(field);
    if (edit.base !== current[field]) theirs[field] = current[field];
  }

  return {
    values,
    changed,
    theirs,
    set(field, typed) {
      setEdits({ ...edits, [field]: { typed, base: edited(field)?.base ?? current[field] } });
    },
    forget(fields = keys) {
      const before = edits;
      drop(fields);
      return () => setEdits(before);
    },
  };
}

function parseEdits(kept: unknown): Edits {
  if (typeof kept !== 'object' || kept === null) return NOTHING;
  const edits: Record<string, Edited> = {};
  for (const [field, edit] of Object.entries(kept)) {
    if (isEdited(edit)) edits[field] = { typed: edit.typed, base: edit.base };
  }
  return edits;
}

function isEdited(edit: unknown): edit is Edited {
  if (typeof edit !== 'object' || edit === null || !('typed' in edit) || !('base' in edit)) return false;
  return typeof edit.typed === 'string' && typeof edit.base === 'string';
}
