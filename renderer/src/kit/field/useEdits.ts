import { useEffect } from 'react';
import { useLatest } from '../useLatest.ts';
import { isSame } from '../isSame.ts';

/** The edited fields of a form: what is typed, and the station's value when editing began. */
export type Edits = Readonly<Record<string, { typed: unknown; base: unknown }>>;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a form for values that others may change at the same time. */
export type EditedFields<Values> = {
  /** The typed values, or else the station's. */
  values: Values;
  /** The typed values that differ from the station's. */
  typed: Partial<Values>;
  /** New values of those fields that somebody else saved. */
  theirs: Partial<Values>;
  set(part: Partial<Values>): void;
  /** Discards what is typed in these fields, or in all. Returns a function that restores it. */
  forget(fields?: readonly string[]): () => void;
  /** Call after sending: keeps only what was typed since. `saved`: the station's values now. */
  settle(sent: Partial<Values>, saved?: Partial<Values>): void;
};

/** Edits the station's values (`current`) field by field. Fields that are not edited follow them. `edits`: stored by the caller. */
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
    // An edit that equals the station's value is complete.
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
