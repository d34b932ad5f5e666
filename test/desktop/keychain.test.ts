import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { findTexts, SECRETS } from '../helpers/secretBytes.ts';
import { call, openDesktop, ownFolder, windowOn } from './desktop.ts';

const args = ['--port', '0'];

// Most test machines have no keyring, so Electron would encrypt with a password from its public source code.
test('without a keyring, the key is in a file that only its owner can read, and the next start reads it', async ({
  skip,
}) => {
  const dataFolder = ownFolder();
  const desktop = await openDesktop({ dataFolder, args });
  const url = await desktop.url();
  await windowOn(desktop, url);
  const backend = await desktop.app.evaluate(({ safeStorage }) =>
    process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : 'the system',
  );
  skip(!['basic_text', 'unknown'].includes(backend), `This machine keeps the key in its keychain: ${backend}`);
  await call(url, 'PATCH', '/api/settings/', SECRETS);
  const file = join(dataFolder, 'data.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(`${file}.keychain`)).toBe(false);
  expect(findTexts(dataFolder, Object.values(SECRETS))).toEqual([]);
  const key = readFileSync(file, 'utf8');
  await desktop.app.close();

  const again = await openDesktop({ dataFolder, args });
  const settings = (await call(await again.url(), 'GET', '/api/settings/')) as SettingsAnswer;
  expect(settings).toMatchObject({ callback_signing_secret_set: true, unreadable_secrets: [] });
  expect(readFileSync(file, 'utf8')).toBe(key);
});
