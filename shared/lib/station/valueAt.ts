/** Returns a value of a record by a key from outside. Inherited names, such as `constructor`, have no value. */
export function valueAt<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
