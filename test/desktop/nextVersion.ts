import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Entry = { files?: Record<string, Entry>; offset?: string; size?: number };

/** Bytes of the four lengths before the list of files. */
const LENGTHS = 16;

/**
 * Makes the next version of an unpacked program, with one more migration. Changed files are appended to the program's
 * archive. `change` receives each file's text and name, and can modify the text.
 */
export function makeNextVersion(
  unpacked: string,
  folder: string,
  version: string,
  change: (text: string, name: string) => string = (text) => text,
): void {
  copyOrLink(unpacked, folder);
  const archive = join(folder, 'resources', 'app.asar');
  const bytes = readFileSync(archive);
  const body = bytes.subarray(8 + bytes.readUInt32LE(4));
  const head = JSON.parse(bytes.toString('utf8', LENGTHS, LENGTHS + bytes.readUInt32LE(12))) as Entry;
  const earlier = (JSON.parse(textOf(body, at(head, 'package.json'))) as { version: string }).version;
  const changed: Buffer[] = [];
  let end = body.length;
  let migrations = 0;
  const mine = Object.entries(at(head, 'dist/main').files ?? {});
  for (const [name, entry] of [['package.json', at(head, 'package.json')] as const, ...mine]) {
    if (entry.size === undefined) continue;
    const before = textOf(body, entry);
    const next = before
      .replaceAll(`"${earlier}"`, `"${version}"`)
      .replace(/^var MIGRATIONS = \[.*?(?=\s*\];)/ms, (list) => {
        migrations += 1;
        return `${list},\n{ name: '9999-next', sql: 'CREATE TABLE of_the_next_version (id INTEGER) STRICT;' }`;
      });
    const after = change(next, name);
    if (after === before) continue;
    const written = Buffer.from(after);
    Object.assign(entry, { offset: String(end), size: written.length });
    changed.push(written);
    end += written.length;
  }
  if (migrations !== 1) throw new Error(`The list of migrations was found ${migrations} times in ${archive}`);
  rmSync(archive);
  writeFileSync(archive, Buffer.concat([headBytes(head), body, ...changed]));
}

/** Hard-links files on the same disk to save space. The archive itself becomes a new file. */
function copyOrLink(from: string, to: string): void {
  const isSameDisk = statSync(from).dev === statSync(dirname(to)).dev;
  execFileSync('cp', [isSameDisk ? '-al' : '-a', from, to]);
}

function at(head: Entry, path: string): Entry {
  return path.split('/').reduce<Entry>((entry, name) => {
    const inner = entry.files?.[name];
    if (inner === undefined) throw new Error(`The archive has no ${path}`);
    return inner;
  }, head);
}

function textOf(body: Buffer, { offset, size = 0 }: Entry): string {
  return body.toString('utf8', Number(offset), Number(offset) + size);
}

/** Encodes the head of an archive: lengths, followed by the JSON text padded to four bytes. */
function headBytes(head: Entry): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const filled = Math.ceil(text.length / 4) * 4;
  const bytes = Buffer.alloc(LENGTHS + filled);
  [4, filled + 8, filled + 4, text.length].forEach((length, place) => bytes.writeUInt32LE(length, place * 4));
  text.copy(bytes, LENGTHS);
  return bytes;
}
