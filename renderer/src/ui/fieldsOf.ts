/** Joins fields to the values of a draft: what a field is spread with, by the key of its value. */
export function fieldsOf<Draft extends object>(draft: Draft, change: (part: Partial<Draft>) => void) {
  return <Name extends keyof Draft & string>(name: Name) => ({
    name,
    value: draft[name],
    onChange: (value: Draft[Name]) => change({ [name]: value } as unknown as Partial<Draft>),
  });
}
