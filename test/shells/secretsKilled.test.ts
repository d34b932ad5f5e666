import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DATABASE_FILE, openDatabase } from '../../electron/server/db/database.ts';
import { openKeyRing } from '../../electron/server/db/keyRing.ts';
import { MIGRATIONS } from '../../electron/server/db/migrations.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import { openSettings } from '../../electron/server/services/settings/secretSettings.ts';
import { findTexts } from '../helpers/secretBytes.ts';
import { folderOnDisk } from './stationProcess.ts';

/** For a busy machine. */
const MAX_MS = 400_000;
/** `SEAL_STRIDE=1` tries every step. */
const STRIDE = Number(process.env['SEAL_STRIDE'] ?? 25);
const OLD = join(import.meta.dirname, '../migrations/0016-sealedSecrets.sqlite');
const PROGRAM = join(import.meta.dirname, 'sealAtStep.ts');
const SIGNING = 'whsec_cGxhaW4tc2lnbmluZy1zZWNyZXQtMDAxNg==';
const TEXTS = [SIGNING, 'plain-mail-password-0016', 'plain-header-0016', 'plain-mqtt-key-0016', 'former-secret-'];

let place: string;

beforeAll(() => void (place = folderOnDisk('secrets-killed')));
afterAll(() => rmSync(place, { recursive: true }));

function fresh(name: string): string {
  const folder = join(place, name);
  mkdirSync(folder);
  copyFileSync(OLD, join(folder, DATABASE_FILE));
  return folder;
}

/** Opens the folder as the next start does. */
function open(folder: string) {
  const keyRing = openKeyRing(folder);
  const database = openDatabase(folder, { now: 1, migrations: MIGRATIONS, restore: undefined, keyRing });
  const found = openSettings(createRepositories(database.reader).settings.list(), keyRing);
  database.close();
  return { ...found, traces: database.traces };
}

test(
  'if an update is killed while it seals secrets, the next start has all of them and leaves none in plain text',
  async () => {
    const whole = fresh('whole');
    const steps = Number(execFileSync(process.execPath, [PROGRAM, whole, '0'], { encoding: 'utf8' }));
    expect(steps).toBeGreaterThan(100);
    expect(findTexts(whole, TEXTS)).toEqual([]);
    const killedAt: number[] = [];
    for (let step = 1; step <= steps; step += STRIDE) {
      const folder = fresh(`step-${step}`);
      const ended = promisify(execFile)(process.execPath, [PROGRAM, folder, String(step)]);
      await ended.catch((error: unknown) => {
        expect((error as { signal?: string }).signal).toBe('SIGKILL');
        killedAt.push(step);
      });
      // Kill the next start too, in the middle of its repair.
      const twice = join(place, 'twice');
      cpSync(folder, twice, { recursive: true });
      await promisify(execFile)(process.execPath, [PROGRAM, twice, String(steps - step)]).catch(() => undefined);
      for (const left of [folder, twice]) {
        expect(open(left), `step ${step}`).toMatchObject({
          opened: { callback_signing_secret: SIGNING, mail_password: 'plain-mail-password-0016' },
          closed: [],
          traces: undefined,
        });
        expect(findTexts(left, TEXTS), `step ${step}`).toEqual([]);
        rmSync(left, { recursive: true });
      }
    }
    expect(killedAt).toHaveLength(Math.ceil(steps / STRIDE));
  },
  MAX_MS,
);
