import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');
const STATIC_IMPORT = /^(?:import|export)\s+(?!type\b)[^;]*?\sfrom\s+'([^']+)'|^import\s+'([^']+)'/gm;

/** Returns every file that is loaded before a station is ready, and libraries by name. Excludes dynamic imports. */
function readAtStart(start: string): Set<string> {
  const read = new Set([start]);
  for (const file of read) {
    if (!existsSync(file) || !file.endsWith('.ts')) continue;
    for (const [, from, alone] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
      const name = from ?? alone ?? '';
      if (name.startsWith('#shared/')) read.add(join(root, name.slice(1)));
      else read.add(name.startsWith('.') ? join(dirname(file), name) : name);
    }
  }
  return read;
}

// Importing `node:http` loads Node's own WebSocket and fetch client too.
test.for([
  'node:http',
  'ws',
  '@serialport/bindings-cpp',
  '@napi-rs/canvas',
  'nodemailer/lib/smtp-connection',
  'nodemailer/lib/mail-composer',
  'chokidar',
])('startup does not load %s, which most stations never use', (library) => {
  const read = readAtStart(join(root, 'electron/headless/main.ts'));
  expect(read).toContain('express');
  expect(read).not.toContain(library);
});
