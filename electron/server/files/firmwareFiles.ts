import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FirmwareFile } from '../ports.ts';

/** The files of our firmware in this folder, as they are on a board. */
export function readFirmwareFiles(folder: string): FirmwareFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:py|json)$/.test(path) && !path.includes('example') && statSync(join(folder, path)).isFile())
    .toSorted()
    .map((path) => ({ path: path.split(sep).join('/'), bytes: readFileSync(join(folder, path)) }));
}
