import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createUpdater } from '../../../electron/main/updater.ts';
import { readUpdatePolicy } from '../../../electron/server/update/updatePolicy.ts';
import type { Log } from '../../../electron/server/ports.ts';

const LOG: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

vi.mock('electron', () => ({ app: { isPackaged: true } }));
// Only Electron provides this module.
vi.mock('original-fs', () => ({ default: { promises: {} } }));

/** Creates the updater of a packaged program with a feed, on a machine with a policy file that contains this text. */
function updaterUnder(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-updater-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'release-feed.json'), '{}');
  Object.assign(process, { resourcesPath: folder });
  onTestFinished(() => void Reflect.deleteProperty(process, 'resourcesPath'));
  const file = join(folder, 'policy.json');
  writeFileSync(file, text);
  const shutdown = { began: false, add() {}, end() {} };
  const policy = readUpdatePolicy({}, file);
  return { file, updater: createUpdater({ dataFolder: folder, policy, shutdown, args: () => [], log: LOG }) };
}

test('an unreadable policy prevents all update checks, and the reason names its file', () => {
  const { file, updater } = updaterUnder('updates: off');
  expect(updater.cannotCheck).toContain(`The policy for updates in ${file} cannot be read`);
  expect(updater.policy).toBeUndefined();
});

test('a valid policy allows update checks, and the updater reports it', () => {
  const { updater } = updaterUnder('{"updates": "notify"}');
  expect(updater.cannotCheck).toBeUndefined();
  expect(updater.policy).toBe('notify');
});
