import type { Scene } from './scene.ts';

/** Takes screenshots of settings with unreadable secrets, and of the passphrase for backups. */
export async function secrets({ shop, page, take }: Scene): Promise<void> {
  await shop.call('PATCH', 'api/settings/', {
    callback_url: 'http://receiver.invalid/',
    callback_signing_secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0',
    mail_password: 'a few words',
  });
  // Answer like a station that has lost its data key.
  await page.route('**/api/settings/', async (route) => {
    const answer = await route.fetch();
    const settings = (await answer.json()) as object;
    await route.fulfill({
      response: answer,
      json: { ...settings, unreadable_secrets: ['callback_signing_secret', 'mail_password'] },
    });
  });
  await page.goto(`${shop.url}settings`);
  const notice = page.getByRole('region', { name: 'Secrets that cannot be read' });
  await notice.waitFor();
  await take('secrets-unreadable');
  await notice.getByRole('button').click();
  await page.getByRole('dialog').waitFor();
  await take('secrets-passphrase');
  await page.keyboard.press('Escape');
  await page.getByRole('group', { name: 'Passphrase' }).scrollIntoViewIfNeeded();
  await take('secrets-backups');
  await page.goto(`${shop.url}connections/callback-settings`);
  await page.getByRole('group', { name: 'Signing secret' }).scrollIntoViewIfNeeded();
  await take('secrets-field');
  await page.unroute('**/api/settings/');
  await page.route('**/api/callbacks/counts/', (route) =>
    route.fulfill({
      json: {
        pending: 3,
        dead: 0,
        oldest_pending: null,
        held: 'callback_signing_secret cannot be read. The data key of this folder is missing: its data.key, or PICKSTATION_DATA_KEY. Enter it again in the settings. Callbacks wait until then.',
      },
    }),
  );
  await page.goto(`${shop.url}callbacks`);
  await page.getByText(/cannot be read/).waitFor();
  await take('secrets-callbacks');
  await page.unroute('**/api/callbacks/counts/');
  await shop.call('PATCH', 'api/settings/', {
    callback_url: '',
    callback_signing_secret: null,
    mail_password: null,
  });
}
