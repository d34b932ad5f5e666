/**
 * The figures of earlier commits, in `history.jsonl`: a line per run of `npm run bench -- --record`. Only ratios say
 * something on another machine.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { median, report, type Goal } from './goals.ts';

const FILE = join(import.meta.dirname, 'history.jsonl');
const DIGITS = 4;

type Run = { commit: string; at: string; node: string; cores: number; figures: Record<string, number> };

/** Prints the figures beside those of the last recorded commit, and with `--record` adds them to the history. */
export function reportRun(goals: readonly Goal[]): void {
  report(goals, readHistory());
  if (process.argv.includes('--record')) recordRun(goals);
}

/** The newest recorded median of each figure. */
function readHistory(): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    if (line === '') continue;
    for (const [name, value] of Object.entries((JSON.parse(line) as Run).figures)) figures.set(name, value);
  }
  return figures;
}

/** Appends a run. `commit` ends in + where the checkout has changes. */
function recordRun(goals: readonly Goal[]): void {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--untracked-files=no');
  const run: Run = {
    commit: git('rev-parse', '--short=10', 'HEAD') + (changes === '' ? '' : '+'),
    at: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cores: cpus().length,
    figures: Object.fromEntries(goals.map(({ name, values }) => [name, Number(median(values).toPrecision(DIGITS))])),
  };
  appendFileSync(FILE, `${JSON.stringify(run)}\n`);
}
