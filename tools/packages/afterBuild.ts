import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { canMake, makePackages, type PackageKind } from './make.ts';
import { signingNotice } from './signing.ts';

/** Result that electron-builder passes after all builds: the files, and the names of targets by platform. */
type BuildResult = {
  outDir: string;
  artifactPaths: string[];
  platformToTargets: Map<{ name: string }, Map<string, unknown>>;
};

/** Names that electron-builder gives to the folders of unpacked programs. */
const LINUX_FOLDERS = ['linux-unpacked', 'linux-arm64-unpacked'];
const APP_FOLDERS = ['mac', 'mac-arm64', 'mac-universal'];

/** Makes deb and rpm for Linux, and warns about unsigned files. Resolves to the paths of the packages. */
export async function afterAllArtifactBuild(result: BuildResult): Promise<string[]> {
  const { outDir, artifactPaths, platformToTargets } = result;
  const made: string[] = [];
  for (const [{ name }, targets] of platformToTargets) {
    const isFolderOnly = [...targets.keys()].every((target) => target === 'dir');
    if (name === 'linux' && !isFolderOnly) made.push(...makeLinuxPackages(outDir));
  }
  for (const built of signedParts(outDir, artifactPaths)) {
    const notice = signingNotice(process.platform, built);
    if (notice !== undefined) console.error(notice);
  }
  return Promise.resolve(made);
}

function makeLinuxPackages(outDir: string): string[] {
  const kinds = (['deb', 'rpm'] satisfies PackageKind[]).filter((kind) => {
    const can = canMake(kind);
    if (!can) console.error(`NOTE: no ${kind} is made: this system lacks its tools (docs/releasing.md)`);
    return can;
  });
  return LINUX_FOLDERS.map((name) => join(outDir, name))
    .filter((folder) => existsSync(folder))
    .flatMap((unpacked) => makePackages({ unpacked, outFolder: outDir, kinds }));
}

/** Returns the files that should be signed: every .app for macOS and every installer for Windows. */
function signedParts(outDir: string, artifactPaths: string[]): string[] {
  if (process.platform === 'darwin') {
    return APP_FOLDERS.map((name) => join(outDir, name, 'Pickstation.app')).filter((app) => existsSync(app));
  }
  return artifactPaths.filter((path) => path.endsWith('.exe'));
}
