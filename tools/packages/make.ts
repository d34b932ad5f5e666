import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDeb } from './deb.ts';
import { readProgram } from './program.ts';
import { makeRpm } from './rpm.ts';
import { layTree } from './tree.ts';

export type PackageKind = 'deb' | 'rpm';

const MAX_MB = 120;
const TOOLS: Record<PackageKind, string> = { deb: 'dpkg-deb', rpm: 'rpmbuild' };

/** Whether this system can make packages of this kind. */
export function canMake(kind: PackageKind): boolean {
  return spawnSync(TOOLS[kind], ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Makes packages from an unpacked program. Returns their paths. `fast` is for tests and makes larger packages in less time. Throws if a
 * package exceeds its size limit, unless `fast` is set.
 */
export function makePackages(options: {
  unpacked: string;
  outFolder: string;
  kinds: readonly PackageKind[];
  fast?: boolean;
}): string[] {
  const { unpacked, outFolder, kinds, fast = false } = options;
  const program = readProgram(unpacked);
  // Use a folder next to the program, so that the program's files can be hard-linked.
  const work = mkdtempSync(join(unpacked, '..', 'tree-'));
  try {
    const tree = join(work, 'root');
    layTree(program.folder, tree);
    const how = { program, tree, outFolder, compression: fast ? 'gzip' : 'xz' } as const;
    // Make the rpm first, because it must not contain the folder with the deb's control files.
    const made = [...(kinds.includes('rpm') ? [makeRpm(how)] : []), ...(kinds.includes('deb') ? [makeDeb(how)] : [])];
    for (const file of made) {
      const mb = statSync(file).size / 1e6;
      console.log(`${file}: ${mb.toFixed(1)} MB`);
      if (!fast && mb > MAX_MB) throw new Error(`${file} has more than ${MAX_MB} MB`);
    }
    return made;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
