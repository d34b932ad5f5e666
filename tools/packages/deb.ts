import { execFileSync } from 'node:child_process';
import { copyFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import {
  DEB_ARCHES,
  DEB_DEPENDS,
  DEB_RECOMMENDS,
  DESCRIPTION,
  HOMEPAGE,
  MAINTAINER,
  NAME,
  packageVersion,
  SUMMARY,
} from './metadata.ts';
import type { UnpackedProgram } from './program.ts';
import { bytesIn, PACKAGING } from './tree.ts';

/** Makes a deb from a tree with all files. Returns the path of the deb. Adds the folder with the control files to `tree`. */
export function makeDeb(options: {
  program: UnpackedProgram;
  tree: string;
  outFolder: string;
  /** Compression for `dpkg-deb -Z`: xz for releases, or gzip if speed matters. */
  compression: 'xz' | 'gzip';
}): string {
  const { program, tree, outFolder, compression } = options;
  const sums = checksums(tree);
  const control = join(tree, 'DEBIAN');
  mkdirSync(control, { recursive: true });
  writeFileSync(join(control, 'control'), controlFile(program, bytesIn(tree)));
  writeFileSync(join(control, 'md5sums'), sums);
  for (const script of ['postinst', 'postrm']) {
    copyFileSync(join(PACKAGING, script), join(control, script));
    chmodSync(join(control, script), 0o755);
  }
  mkdirSync(outFolder, { recursive: true });
  const file = join(outFolder, `${NAME}_${packageVersion(program.version)}_${DEB_ARCHES[program.arch]}.deb`);
  const level = compression === 'xz' ? [] : ['-z1'];
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, ...level, '--build', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return file;
}

function controlFile(program: UnpackedProgram, bytes: number): string {
  const depends = [`libc6 (>= ${program.glibc})`, ...DEB_DEPENDS];
  return [
    `Package: ${NAME}`,
    `Version: ${packageVersion(program.version)}`,
    `Architecture: ${DEB_ARCHES[program.arch]}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    `Depends: ${depends.join(', ')}`,
    `Recommends: ${DEB_RECOMMENDS.join(', ')}`,
    'Section: misc',
    'Priority: optional',
    ...(HOMEPAGE === undefined ? [] : [`Homepage: ${HOMEPAGE}`]),
    `Description: ${SUMMARY}`,
    ...DESCRIPTION.map((line) => ` ${line}`),
    '',
  ].join('\n');
}

/** Returns the checksums that `dpkg --verify` compares with the installed files. */
function checksums(tree: string): string {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => `${createHash('md5').update(readFileSync(file)).digest('hex')}  ${relative(tree, file)}\n`)
    .join('');
}
