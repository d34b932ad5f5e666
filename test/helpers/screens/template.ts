import { scryptSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { TestProject } from 'vitest/node';
import { MARK_FILE } from '../../../electron/server/db/mark.ts';
import type { DerivePassword } from '../../../electron/server/ports.ts';
import { createStation } from '../../../electron/server/station.ts';
import { systemPorts } from '../../../electron/server/systemPorts.ts';
import { createFakeClock } from '../fakeClock.ts';

export const API_KEY = 'test-key-of-the-environment';
export const ADMIN_PASSWORD = 'test-password';
/** The time at which tests start, in epoch milliseconds. */
export const START_MS = Date.UTC(2026, 10, 20, 8, 0, 0);

/** Derives passwords like the station, but at a low cost: hundreds of tests sign in, and few of them test the cost. */
export const deriveQuickly: DerivePassword = (password, salt) =>
  Promise.resolve(scryptSync(password, salt, 32, { N: 2 ** 8 }));

declare module 'vitest' {
  export interface ProvidedContext {
    template: string;
  }
}

/**
 * Creates a data folder with schema and accounts once for all tests, because hashing a password is slow. Returns a function that removes
 * it.
 */
export default async function makeTemplate(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-template-'));
  const config = {
    host: '127.0.0.1',
    port: 0,
    dataFolder: folder,
    simulate: 0,
    adminPassword: ADMIN_PASSWORD,
    apiKey: API_KEY,
    firstRun: 'print' as const,
  };
  // Use the tests' start time, because the age of a data folder decides its next numbers.
  const ports = { ...systemPorts('silent', {}), clock: createFakeClock(START_MS), derivePassword: deriveQuickly };
  const station = createStation(config, ports, join(folder, 'none'));
  await station.start();
  await station.stop();
  numberCommandsFromOne(folder);
  project.provide('template', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Makes command ids start at 1, because tests rely on these ids. A new data folder starts at a random id. */
export function numberCommandsFromOne(folder: string): void {
  const db = new Database(join(folder, 'pickstation.sqlite'));
  db.exec(
    "UPDATE meta SET value = '0' WHERE key = 'first_command'; DELETE FROM sqlite_sequence WHERE name = 'commands'",
  );
  db.close();
  // The change gives the folder a different identity, so the mark no longer matches.
  rmSync(join(folder, MARK_FILE));
}
