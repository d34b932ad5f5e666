import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateOf } from '../shells/checked.ts';
import { spawnStation } from '../shells/stationProcess.ts';
import { ownFolder, ROOT, ROOT_SWITCHES, runtimeFolder } from './desktop.ts';

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(join(runtimeFolder(), 'electron'), [...ROOT_SWITCHES, ROOT, ...args], {
    encoding: 'utf8',
    timeout: 180_000,
  });
}

test('the desktop program checks the next start and leaves the data unchanged', async () => {
  const dataFolder = ownFolder();
  const station = spawnStation({ dataFolder, simulate: 2, port: 0 });
  await station.ready;
  await station.stop();
  const before = stateOf(dataFolder);
  const checked = run('--check', '--data', dataFolder, '--port', '0');
  expect(checked.stdout).toMatch(/^The next start will work\. .* 2 devices/);
  expect(checked.status).toBe(0);
  expect(stateOf(dataFolder)).toEqual(before);
  expect(run('--service', 'install')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('The program with a window cannot run as a service.') as string,
  });
});
