import { useEffect } from 'react';
import { useLatest } from '../useLatest.ts';
import { isSame } from '../isSame.ts';

/** The edited fields of a form: the typed value of each field, and the station's value when editing began. */
export type Edits = Readonly<Record<string, { typed: unknown; base: unknown }>>;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a form for values that other people may change at the same time. */
export type EditedFields<Values> = {
  /** The typed values or, for fields that are not edited, the station's values. */
  values: Values;
  /** The typed values that differ from the station's. */
  typed: Partial<Values>;
  /** New values that somebody else has saved for edited fields. */
  theirs: Partial<Values>;
  set(part: Partial<Values>): void;
  /** Discards the typed values of these fields, or of all fields. Returns a function that restores them. */
  forget(fields?: readonly string[]): () => void;
  /** Called after sending; keeps only values that were typed since then. `saved` contains the station's values now. */
  settle(sent: Partial<Values>, saved?: Partial<Values>): void;
};

/**
 * Edits the station's values (`current`) field by field. Fields that are not edited follow the station. The caller
 * stores `edits`.
 */
export function useEdits<Values extends Fields>(
  current: Values,
  [edits, setEdits]: readonly [Edits, (next: Edits) => void],
): EditedFields<Values> {
  const latest = useLatest(edits);
  const now: Fields = current;
  const differing = Object.entries(edits).filter(([key, { typed }]) => key in now && !isSame(typed, now[key]));
  const typed = Object.fromEntries(differing.map(([key, edit]) => [key, edit.typed])) as Partial<Values>;
  const changed = differing.filter(([key, { base }]) => !isSame(base, now[key]));

  const drop = (fields: readonly string[]) =>
    setEdits(Object.fromEntries(Object.entries(latest.current).filter(([key]) => !fields.includes(key))));

  useEffect(() => {
    // Drop an edit once it equals the station's value.
    const complete = Object.keys(edits).filter((key) => !(key in typed));
    if (complete.length > 0) drop(complete);
  });

  return {
    values: { ...current, ...typed },
    typed,
    theirs: Object.fromEntries(changed.map(([key]) => [key, now[key]])) as Partial<Values>,
    set(part) {
      const next = Object.entries(part).map(([key, value]) => {
        const { base } = latest.current[key] ?? { base: now[key] };
        return [key, { typed: value, base }] as const;
      });
      setEdits({ ...latest.current, ...Object.fromEntries(next) });
    },
    forget(fields = Object.keys(edits)) {
      const before = latest.current;
      drop(fields);
      return () => setEdits(before);
    },
    settle(sent: Fields, saved: Fields = sent) {
      const left = Object.entries(latest.current).filter(([key, { typed }]) => !isSame(typed, sent[key]));
      setEdits(
        Object.fromEntries(left.map(([key, edit]) => [key, key in sent ? { ...edit, base: saved[key] } : edit])),
      );
    },
  };
}
