/**
 * Compares the Node that npm has installed for this system with the one that the Node project publishes: `node tools/nodeSums.ts`.
 * `node-runtime/sums.json` has the sums from the announcement of each version at nodejs.org. They are sums of archives, so except on
 * Windows this downloads the archive.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import SUMS from './node-runtime/sums.json' with { type: 'json' };

const DIST = 'https://nodejs.org/dist/';

export type Sum = { file: string; sha256: string };

/** Throws unless the program is the published one. `download` resolves to a file of nodejs.org. */
export async function checkNode(
  program: Uint8Array,
  { file, sha256 }: Sum,
  download: (url: string) => Promise<Uint8Array>,
): Promise<void> {
  if (file.endsWith('.exe')) return compare(program, sha256, file);
  const archive = await download(DIST + file);
  compare(archive, sha256, file);
  const folder = mkdtempSync(join(tmpdir(), 'node-sums-'));
  try {
    writeFileSync(join(folder, 'node.tar.gz'), archive);
    const inside = `${basename(file, '.tar.gz')}/bin/node`;
    execFileSync('tar', ['-xzf', 'node.tar.gz', inside], { cwd: folder });
    compare(program, hash('sha256', readFileSync(join(folder, inside))), inside);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compare(bytes: Uint8Array, sha256: string, name: string): void {
  const found = hash('sha256', bytes);
  if (found !== sha256) throw new Error(`${name} should have the SHA-256 ${sha256}, but has ${found}`);
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

if (import.meta.main) {
  const modules = join(import.meta.dirname, '..', 'node_modules');
  for (const [name, sum] of Object.entries(SUMS)) {
    const program = join(modules, name, 'bin', sum.file.endsWith('.exe') ? 'node.exe' : 'node');
    if (!existsSync(program)) continue;
    await checkNode(readFileSync(program), sum, fetchBytes);
    console.log(`${name} has the Node of ${DIST}${sum.file}`);
  }
}
