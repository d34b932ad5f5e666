import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSync, type SystemCall } from './trace.ts';

type Change = { kind: 'write'; at: number; bytes: Buffer } | { kind: 'truncate'; to: number };
type File = { safe: Buffer; unsafe: Change[] };

/** A folder's files on a simulated disk that can lose any unsynced change. */
export class ReplayedDisk {
  private readonly folder: string;
  private readonly files = new Map<string, File>();

  constructor(folder: string) {
    this.folder = folder;
  }

  apply(call: SystemCall): void {
    if (dirname(call.path) !== this.folder) return;
    const name = basename(call.path);
    // Other files hold the station's address and are recreated at each start.
    if (!name.includes('.sqlite')) return;
    const file = this.files.get(name);
    if (call.created && file === undefined) this.files.set(name, { safe: Buffer.alloc(0), unsafe: [] });
    if (call.name.startsWith('unlink')) this.files.delete(name);
    if (file === undefined) return;
    if (isSync(call)) {
      file.safe = apply(file.safe, file.unsafe);
      file.unsafe = [];
    } else if (call.name === 'pwrite64') {
      file.unsafe.push({ kind: 'write', at: call.offset ?? 0, bytes: call.bytes });
    } else if (call.name === 'ftruncate') {
      file.unsafe.push({ kind: 'truncate', to: call.offset ?? 0 });
    } else if (/write|fallocate|rename/.test(call.name)) {
      throw new Error(`${call.name} on ${name} is not understood`);
    }
  }

  /** Returns the number of changes to a file that a power failure at this moment could lose. */
  unsafe(name: string): number {
    return this.files.get(name)?.unsafe.length ?? 0;
  }

  /**
   * Writes into an empty `target` what a power failure at this moment would leave. `kept` decides for each unsynced change whether it
   * survives.
   */
  unplug(target: string, kept: () => boolean): void {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target);
    for (const [name, { safe, unsafe }] of this.files) {
      // The log's shared memory is recreated at each start.
      if (!name.endsWith('-shm')) writeFileSync(join(target, name), apply(safe, unsafe.filter(kept)));
    }
  }
}

function apply(content: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map((change) => (change.kind === 'write' ? change.at + change.bytes.length : 0));
  const bytes = Buffer.alloc(Math.max(content.length, ...ends));
  content.copy(bytes);
  let length = content.length;
  for (const change of changes) {
    if (change.kind === 'truncate') {
      bytes.fill(0, change.to);
      length = change.to;
    } else {
      change.bytes.copy(bytes, change.at);
      length = Math.max(length, change.at + change.bytes.length);
    }
  }
  return bytes.subarray(0, length);
}
