import { useState } from 'react';

/**
 * Joins fields to the values of a draft: what a field is spread with, by the key of its value. `row` tells apart the fields of
 * several drafts in one form.
 */
export function fieldsOf<Draft extends object>(draft: Draft, change: (part: Partial<Draft>) => void, row?: number) {
  return <Name extends keyof Draft & string>(name: Name) => ({
    name: row === undefined ? name : `${name} ${row}`,
    value: draft[name],
    onChange: (value: Draft[Name]) => change({ [name]: value } as unknown as Partial<Draft>),
  });
}

/** The draft of a form, and what its fields are spread with. */
export function useForm<Draft extends object>(first: Draft | (() => Draft)) {
  const [draft, setDraft] = useState(first);
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  return { draft, set, field: fieldsOf(draft, set) };
}
