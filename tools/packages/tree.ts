import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { NAME } from './metadata.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Folder of the files that deb and rpm contain in addition to the program. */
export const PACKAGING = join(ROOT, 'resources', 'packaging', 'linux');

/** Folder of the installed program. The scripts in the packages contain this path too. */
export const PROGRAM_FOLDER = `opt/${NAME}`;
const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];

/** Creates `tree` from scratch. It gets all files of a package, with their modes. */
export function layTree(unpacked: string, tree: string): void {
  rmSync(tree, { recursive: true, force: true });
  const program = join(tree, PROGRAM_FOLDER);
  mkdirSync(dirname(program), { recursive: true });
  // Use hard links where possible, because the program takes a third of a gigabyte.
  run('cp', ['-rl', unpacked, program], () => cpSync(unpacked, program, { recursive: true }));
  // Chromium's sandbox for systems that forbid user namespaces, such as Ubuntu. Copy the file instead of linking it, because its mode
  // changes.
  const sandbox = join(program, 'chrome-sandbox');
  const bytes = readFileSync(sandbox);
  rmSync(sandbox);
  writeFileSync(sandbox, bytes);

  const share = join(tree, 'usr', 'share');
  put(join(share, 'applications', `${NAME}.desktop`), packaging('pickstation.desktop'));
  for (const size of ICON_SIZES) {
    const icon = readFileSync(join(ROOT, 'resources', 'icons', `${size}.png`));
    put(join(share, 'icons', 'hicolor', `${size}x${size}`, 'apps', `${NAME}.png`), icon);
  }
  put(join(share, 'man', 'man1', `${NAME}.1.gz`), zipped(packaging('pickstation.1')));
  put(join(share, 'doc', NAME, 'copyright'), copyright());
  put(join(share, 'doc', NAME, 'changelog.gz'), zipped(readFileSync(join(ROOT, 'CHANGELOG.md'))));
  put(join(tree, 'usr', 'lib', 'udev', 'rules.d', '70-pickstation.rules'), packaging('70-pickstation.rules'));
  put(join(tree, 'usr', 'lib', 'systemd', 'user', `${NAME}.service`), packaging('pickstation.service'));
  mkdirSync(join(tree, 'usr', 'bin'), { recursive: true });
  symlinkSync(`/${PROGRAM_FOLDER}/${NAME}`, join(tree, 'usr', 'bin', NAME));
  setModes(tree);
  chmodSync(sandbox, 0o4755);
}

/** Writes a file of the package. Its mode, which depends on the umask here, is set later by `setModes`. */
function put(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function packaging(name: string): string {
  return readFileSync(join(PACKAGING, name), 'utf8');
}

/** Compresses a file reproducibly: gzipSync does not write a time. */
function zipped(content: string | Buffer): Buffer {
  return gzipSync(content, { level: 9 });
}

/** Returns the copyright file that Debian requires, from the repository's license. */
function copyright(): string {
  const [, holder = ''] = /^Copyright \(c\) (.+)$/m.exec(readFileSync(join(ROOT, 'LICENSE'), 'utf8')) ?? [];
  const terms = readFileSync(join(ROOT, 'LICENSE'), 'utf8').split('\n').slice(4).join('\n').trim();
  const indented = terms.replaceAll(/^$/gm, '.').replaceAll(/^/gm, ' ');
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Pickstation',
    'Comment: Electron, Chromium and libraries have licences of their own:',
    ` /${PROGRAM_FOLDER}/resources/THIRD-PARTY-NOTICES.txt,`,
    ` /${PROGRAM_FOLDER}/LICENSE.electron.txt and /${PROGRAM_FOLDER}/LICENSES.chromium.html`,
    '',
    'Files: *',
    `Copyright: ${holder}`,
    'License: Expat',
    indented,
    '',
  ].join('\n');
}

/** Makes all files readable for everyone and keeps executable files executable. */
function setModes(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setModes(path);
    else if (entry.isFile()) chmodSync(path, (lstatSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/** Runs a program. If it fails, runs `otherwise`. */
function run(program: string, args: string[], otherwise: () => void): void {
  if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0) otherwise();
}

/** Returns the number of bytes in all files below a folder. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}
