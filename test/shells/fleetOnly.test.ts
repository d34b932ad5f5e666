import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { API_KEY, folderOnDisk, watch } from './stationProcess.ts';

const START = join(import.meta.dirname, '..', '..', 'electron', 'headless', 'start.mjs');

test('npm run fleet starts a station without devices, and prints the address of its page', async () => {
  const dataFolder = folderOnDisk('fleet-only');
  const args = ['--fleet', '--port', '0', '--data', dataFolder] as const;
  const fleet = watch([process.execPath, START, ...args]);
  try {
    const url = await fleet.ready;
    const answer = await fetch(new URL('/api/station/', url), { headers: { 'api-key': API_KEY } });
    expect(await answer.json()).toMatchObject({ fleet: true, devices: [] });
    expect((await fetch(new URL('/fleet', url))).status).toBe(200);
    expect(fleet.stdout()).toContain(`All stations at ${url}fleet\n`);
    expect(await fleet.stop()).toBe(0);
  } finally {
    await fleet.kill();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
