import { readFileSync } from 'node:fs';

/** Reads a text file. Empty if that fails. */
export function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
