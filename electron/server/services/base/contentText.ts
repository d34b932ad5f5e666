/** Returns a JSON text of a value that is the same for equal values, because it has the fields of each object in alphabetical order. */
export function contentText(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? 'null';
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  return fieldsInOrder(value, inOrder);
}

/** Returns the object with its fields in alphabetical order. */
export function fieldsInOrder(fields: object, convert: (value: unknown) => unknown = (value) => value): object {
  const named = fields as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(named)
      .toSorted()
      .map((name) => [name, convert(named[name])]),
  );
}

/** Whether a body is missing or empty. Programs send `{}` or `[]` for the same. */
export function isEmptyContent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
