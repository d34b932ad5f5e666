import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Prints the slowest test files, because each of them delays every run. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules.map((module) => ({ module, ms: spentOn(module) })).toSorted((a, b) => b.ms - a.ms);
    if (timed.length <= SHOWN) return;
    process.stdout.write(`\nThe ${SHOWN} slowest of ${timed.length} files, in seconds:\n`);
    for (const { module, ms } of timed.slice(0, SHOWN)) {
      process.stdout.write(`${(ms / 1_000).toFixed(1).padStart(7)}  ${relative(process.cwd(), module.moduleId)}\n`);
    }
  }
}

function spentOn(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration;
}
