import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Unpacked program from electron-builder, with our launcher, from which packages are made. */
export type UnpackedProgram = {
  folder: string;
  /** Processor architecture of the executable. */
  arch: Arch;
  version: string;
  /** Newest version of the C library that a file of the program requires. */
  glibc: string;
};

export type Arch = 'x64' | 'arm64';

/** Values of `e_machine` in an ELF file. */
const MACHINES: Record<number, Arch> = { 62: 'x64', 183: 'arm64' };
const MACHINE_AT = 18;

/** Reads an unpacked program. Throws if the folder does not contain a Linux program for a supported processor. */
export function readProgram(folder: string): UnpackedProgram {
  const file = join(folder, 'pickstation.bin');
  if (!existsSync(file)) throw new Error(`There is no program in ${folder}: npm run package -- --linux --dir`);
  const machine = headOf(file).readUInt16LE(MACHINE_AT);
  const arch = MACHINES[machine];
  if (arch === undefined) throw new Error(`${file} is for another processor: ELF machine ${machine}`);
  return { folder, arch, version: versionIn(join(folder, 'resources', 'app.asar')), glibc: newestGlibc(folder) };
}

function headOf(file: string): Buffer {
  const head = Buffer.alloc(MACHINE_AT + 2);
  const open = openSync(file, 'r');
  readSync(open, head);
  closeSync(open);
  return head;
}

/** Returns the version in the package.json inside an archive, because the archive contains the code that runs. */
function versionIn(archive: string): string {
  const bytes = readFileSync(archive);
  const body = 8 + bytes.readUInt32LE(4);
  const { files } = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as {
    files: Record<string, { offset: string; size: number }>;
  };
  const entry = files['package.json'];
  if (entry === undefined) throw new Error(`${archive} has no package.json`);
  const from = body + Number(entry.offset);
  const { version } = JSON.parse(bytes.toString('utf8', from, from + entry.size)) as { version: string };
  return version;
}

function newestGlibc(folder: string): string {
  const minors = elfFiles(folder).flatMap((file) =>
    [...readFileSync(file, 'latin1').matchAll(/GLIBC_2\.(\d+)\0/g)].map(([, minor]) => Number(minor)),
  );
  return `2.${Math.max(...minors)}`;
}

/** Returns the executables and libraries in the folder. */
export function elfFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => headOf(file).toString('latin1', 0, 4) === '\u007fELF');
}
