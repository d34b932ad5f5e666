import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkNode } from '../../../tools/nodeSums.ts';

const RUNTIME = join(import.meta.dirname, '..', '..', '..', 'tools', 'node-runtime');
const read = (name: string): unknown => JSON.parse(readFileSync(join(RUNTIME, name), 'utf8'));
const SUMS = read('sums.json') as Record<string, { file: string; sha256: string }>;
const { optionalDependencies: BUNDLED } = read('package.json') as { optionalDependencies: Record<string, string> };

test('each bundled Node has the sum of its version', () => {
  expect(Object.keys(SUMS).toSorted()).toEqual(Object.keys(BUNDLED).toSorted());
  for (const [name, version] of Object.entries(BUNDLED)) {
    expect(SUMS[name]?.file, name).toMatch(new RegExp(`^v${version.replaceAll('.', String.raw`\.`)}/`));
    expect(SUMS[name]?.sha256, name).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('no bundled Node is the first of its line, which lacks all corrections', () => {
  expect(Object.values(BUNDLED).filter((version) => version.endsWith('.0.0'))).toEqual([]);
});

test('a Node is accepted if it is in the published archive, or is the published program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const inside = 'node-v24.1.0-linux-x64/bin';
  mkdirSync(join(folder, inside), { recursive: true });
  writeFileSync(join(folder, inside, 'node'), 'a program');
  execFileSync('tar', ['-czf', 'archive.tar.gz', 'node-v24.1.0-linux-x64'], { cwd: folder });
  const archive = readFileSync(join(folder, 'archive.tar.gz'));
  const sum = { file: 'v24.1.0/node-v24.1.0-linux-x64.tar.gz', sha256: hash('sha256', archive) };
  const asked: string[] = [];
  const download = async (url: string): Promise<Uint8Array> => Promise.resolve((asked.push(url), archive));
  const program = Buffer.from('a program');
  await checkNode(program, sum, download);
  expect(asked).toEqual([`https://nodejs.org/dist/${sum.file}`]);
  await expect(checkNode(Buffer.from('another'), sum, download)).rejects.toThrow('bin/node should have the SHA-256');
  await expect(checkNode(program, { ...sum, sha256: '0' }, download)).rejects.toThrow('should have the SHA-256 0');
  const windows = { file: 'v24.1.0/win-x64/node.exe', sha256: hash('sha256', program) };
  await checkNode(program, windows, download);
  await expect(checkNode(Buffer.from('another'), windows, download)).rejects.toThrow('node.exe should have');
  expect(asked).toHaveLength(3);
});
