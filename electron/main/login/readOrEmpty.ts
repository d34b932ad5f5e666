import { readFileSync } from 'node:fs';

/** Returns the content of a text file, or an empty text if the file cannot be read. */
export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
