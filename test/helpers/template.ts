import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createStation } from '../../electron/server/station.ts';
import { systemPorts } from '../../electron/server/systemPorts.ts';

export const API_KEY = 'test-key';
export const ADMIN_PASSWORD = 'test-password';

declare module 'vitest' {
  export interface ProvidedContext {
    template: string;
  }
}

/** A data folder with schema and accounts, made once for all tests: hashing a password takes its time. */
export default async function makeTemplate(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-template-'));
  const config = {
    host: '127.0.0.1',
    port: 0,
    dataFolder: folder,
    simulate: 0,
    adminPassword: ADMIN_PASSWORD,
    apiKey: API_KEY,
  };
  const station = createStation(config, systemPorts('silent'), join(folder, 'none'));
  await station.start();
  await station.stop();
  project.provide('template', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
