import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Figures } from '../../loads/preload.ts';

const PRELOAD = join(import.meta.dirname, '..', '..', 'loads', 'preload.ts');

/** Runs a program with the preload, and returns the figures that it measured. The program has `work(ms)` and ends by itself. */
function measure(program: string): Figures {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-loads-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const figures = join(folder, 'figures.json');
  const file = join(folder, 'program.mjs');
  const work =
    'const us = () => { const { user, system } = process.threadCpuUsage(); return user + system; };' +
    'const work = (ms) => { const end = us() + 1_000 * ms; while (us() < end); };' +
    "const end = () => { process.kill(process.pid, 'SIGUSR2'); setTimeout(() => process.exit(), 200); };";
  writeFileSync(file, `${work}\n${program}`);
  const env = { PATH: process.env['PATH'], LOADS_FIGURES: figures, LOADS_TURBO_PORT: '1' };
  spawnSync(process.execPath, ['--import', PRELOAD, file], { env });
  return JSON.parse(readFileSync(figures, 'utf8')) as Figures;
}

test('the longest turn is the work of one turn of the loop, and waiting is not work', () => {
  const figures = measure(
    `const last = () => { work(100); setTimeout(end, 50); };
    const second = () => { work(100); setImmediate(last); };
    setTimeout(() => { work(120); setTimeout(second, 200); }, 50);`,
  );
  expect(figures.longestUs).toBeGreaterThan(119_000);
  expect(figures.longestUs).toBeLessThan(190_000);
  expect(figures.totalUs).toBeGreaterThan(319_000);
});

test('work of several callbacks in one turn counts together', () => {
  const figures = measure('for (let at = 0; at < 4; at += 1) setTimeout(() => work(60), 50); setTimeout(end, 800);');
  expect(figures.longestUs).toBeGreaterThan(239_000);
});

test('garbage collection is part of the longest turn with it, and not of the longest turn', () => {
  const figures = measure(
    `import { setFlagsFromString } from 'node:v8';
    import { runInNewContext } from 'node:vm';
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    const kept = Array.from({ length: 2_000_000 }, (_, at) => ({ at, text: String(at) }));
    setTimeout(() => { const before = us(); while (us() < before + 200_000) gc(); work(60); setTimeout(end, 50 + kept.length % 2); }, 50);`,
  );
  expect(figures.longestWithGcUs).toBeGreaterThan(259_000);
  expect(figures.longestUs).toBeGreaterThan(20_000);
  expect(figures.longestUs).toBeLessThan(figures.longestWithGcUs - 100_000);
});
