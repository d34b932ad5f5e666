import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FirmwareFile } from '../ports.ts';

/** Reads our firmware files from a folder, with the paths that they have on a board. */
export function readFirmwareFiles(folder: string): FirmwareFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:py|json)$/.test(path) && !path.includes('example') && statSync(join(folder, path)).isFile())
    .toSorted()
    .map((path) => ({ path: path.split(sep).join('/'), bytes: readFileSync(join(folder, path)) }));
}
