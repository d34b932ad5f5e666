import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { nodeSideProcesses } from '../../../electron/server/sideProcesses.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Writes a program for a side process. The file is removed after the test. */
function program(text: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-side-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'program.mjs'), text);
  return pathToFileURL(join(folder, 'program.mjs'));
}

/** Runs a side process until its first message, then kills it. Returns the message and how the process ended. */
async function handle(text: string, environment: Record<string, string>): Promise<{ said: unknown; how: string }> {
  let said: unknown;
  const ended = Promise.withResolvers<string>();
  const side = nodeSideProcesses(environment)(program(text), {
    message(message) {
      said = message;
      side.kill();
    },
    ended: ended.resolve,
  });
  return { how: await ended.promise, said };
}

test('a side process inherits only variables that name folders, and gets a lower priority', async () => {
  const text = `
    import { getPriority } from 'node:os';
    // Keeps the process alive until it is killed.
    process.on('message', () => undefined);
    process.send({ env: process.env, execArgv: process.execArgv, argv: process.argv.slice(2), niceness: getPriority() });
  `;
  const environment = {
    TMPDIR: '/somewhere',
    NODE_OPTIONS: '--expose-gc',
    PICKSTATION_API_KEY: 'secret',
    VITEST: 'true',
  };
  const { said, how } = await handle(text, environment);
  expect(said).toEqual({
    env: { TMPDIR: '/somewhere' },
    execArgv: [],
    argv: [],
    niceness: Math.max(10, getPriority()),
  });
  expect(how).toBe('ended by SIGKILL');
});

test('sending to an ended side process, or killing it, does nothing', async () => {
  const ended = Promise.withResolvers<string>();
  const side = nodeSideProcesses({})(program('process.exit(3);'), { message: () => undefined, ended: ended.resolve });
  expect(await ended.promise).toBe('ended with 3');
  side.send({ kind: 'goOn' });
  side.kill();
});

test('the program that copies and checks backups does not load schemas, because each job starts it again', () => {
  const seen = new Set<string>();
  const others = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm,
    )) {
      if (name.startsWith('#shared/')) visit(join(ROOT, 'shared', name.slice('#shared/'.length)));
      else if (name.startsWith('.')) visit(join(dirname(file), name));
      else others.add(name);
    }
  };
  visit(join(ROOT, 'electron', 'server', 'copier', 'copyProcess.ts'));
  // Checks that the search above reaches these files.
  for (const file of ['db/foreignSchema.ts', 'db/migrations/0001-firstSchema.ts', 'errors.ts']) {
    expect([...seen]).toContain(join(ROOT, 'electron', 'server', file));
  }
  expect([...others].filter((name) => !name.startsWith('node:'))).toEqual(['better-sqlite3']);
});
