import { readFileSync } from 'node:fs';

/** The strace options that `readTrace` needs. */
export const STRACE_OPTIONS = [
  // One file per thread, so that threads do not interleave their lines.
  '-ff',
  '--seccomp-bpf',
  // Name files and sockets; print every byte as hex.
  '-yy',
  '-xx',
  '-s',
  '1000000',
  '-e',
  'trace=openat,creat,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,fsync,fdatasync,sync_file_range,ftruncate,fallocate,unlink,unlinkat,rename,renameat,renameat2',
  '-e',
  'signal=none',
  '-e',
  'status=successful',
];

/** One successful system call. `path` is the path of its file, `TCP:[...]`, or the name if the call takes a name. */
export type SystemCall = { name: string; path: string; bytes: Buffer; offset: number | undefined; created: boolean };

// SQLite's temporary files are unnamed, and marked `(deleted)` from the beginning.
const LINE = /^(\w+)\((.*)\)\s+= (\d+)(?:<.*>(?:\(deleted\))?)?$/;
const DESCRIPTOR = /^\d+<(TCP\w*:\[[^\]]*\]|[^>]*)>/;

/** Reads the system calls of one thread, in order. Throws on a line that cannot be parsed. */
export function readTrace(file: string): SystemCall[] {
  return readFileSync(file, 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('+++'))
    .map(parseLine);
}

function parseLine(line: string): SystemCall {
  const [, name, args, result] = LINE.exec(line) ?? [];
  if (name === undefined || args === undefined) throw new Error(`Not a line of a trace: ${line.slice(0, 200)}`);
  const strings = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g)];
  if (strings.some((match) => match[2] !== undefined)) throw new Error(`The trace cut a ${name}`);
  const bytes = Buffer.concat(strings.map((match) => Buffer.from((match[1] ?? '').replaceAll('\\x', ''), 'hex')));
  const descriptor = DESCRIPTOR.exec(args)?.[1];
  if (descriptor === undefined) {
    return {
      name,
      path: bytes.toString('utf8'),
      bytes: Buffer.alloc(0),
      offset: undefined,
      created: args.includes('O_CREAT'),
    };
  }
  const isWrite = /write|send/.test(name);
  return {
    name,
    path: descriptor.startsWith('TCP') ? descriptor : unescape(descriptor),
    // A socket may accept fewer bytes than offered.
    bytes: isWrite ? bytes.subarray(0, Number(result)) : bytes,
    offset: name === 'pwrite64' || name === 'ftruncate' ? Number(/(\d+)$/.exec(args)?.[1]) : undefined,
    created: false,
  };
}

function unescape(text: string): string {
  return text.replaceAll(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

export function isSync(call: SystemCall): boolean {
  return call.name === 'fsync' || call.name === 'fdatasync';
}
