import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FoldersStatus } from '#shared/api/folders.ts';
import { shopFolder } from '../../helpers/files/shopFolder.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';

test.for([
  ['the data folder', '.'],
  ['a folder inside it', 'backups'],
  ['a folder around it', '..'],
] as const)(
  'an inbox on a bind mount of %s is refused in the settings, and fails if it is mounted later',
  async ([, part]) => {
    const station = await startTestStation();
    onTestFinished(() => station.stop());
    const shop = shopFolder();
    onTestFinished(() => shop[Symbol.dispose]());
    const inbox = join(shop.path, 'inbox');
    mkdirSync(inbox);
    mkdirSync(join(station.dataFolder, 'backups'), { recursive: true });
    await station.patch('/api/settings/', { inbox_folder: inbox });
    await station.clock.advance(15_000);
    const before = readdirSync(join(station.dataFolder, part));
    execFileSync('mount', ['--bind', join(station.dataFolder, part), inbox]);
    onTestFinished(() => void execFileSync('umount', [inbox]));
    await station.clock.advance(30_000);
    const { inbox: status } = await station.get<FoldersStatus>('/api/folders/');
    expect(status).toMatchObject({ state: 'failing', problem: expect.stringMatching(/data folder/) as string });
    expect(readdirSync(join(station.dataFolder, part))).toEqual(expect.arrayContaining(before));
    expect(readdirSync(join(station.dataFolder, part))).not.toContain('failed');
    await station.patch('/api/settings/', { inbox_folder: '' });
    const again = await station.request('PATCH', '/api/settings/', { inbox_folder: inbox });
    expect(again).toMatchObject({ status: 400, body: { errors: [{ path: '/inbox_folder' }] } });
  },
);
