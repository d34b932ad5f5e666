import type { Scene } from './scene.ts';

/** Takes screenshots of people, programs with their keys, and the audit log. */
export async function users(scene: Scene): Promise<void> {
  const { shop, page, stranger, take } = scene;
  await page.goto(`${shop.url}users`);
  await page.getByRole('list', { name: 'People who can sign in' }).waitFor();
  await take('users-alone');
  await shop.call('POST', 'api/users/', { username: 'Ann Keller', password: 'ann-has-a-password', role: 'admin' });
  await shop.call('POST', 'api/users/', { username: 'bench-2', password: 'acorn-river', role: 'picker' });
  await shop.call('POST', 'api/users/', { username: 'Jo', password: 'a-password-of-jo', role: 'picker' });
  const signIn = async (username: string, password: string) =>
    fetch(`${shop.url}api/user/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
  await signIn('bench-2', 'acorn-river');
  await signIn('Ann Keller', 'not hers');
  await signIn('nobody', 'at all');
  await shop.call('POST', 'api/api-users/', { name: 'ERP', scope: 'control' });
  await shop.call('POST', 'api/api-users/', { name: 'Dashboard in the office', scope: 'read' });
  await shop.call('POST', 'api/api-users/2/rotate/', { grace_seconds: 86_400 });
  await people(scene);
  await programs(scene);
  await page.goto(`${shop.url}users/activity`);
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await take('users-activity');
  await page.getByRole('searchbox').fill('ann');
  await take('users-activity-found');
  await page.getByRole('searchbox').fill('nothing like that');
  await take('users-activity-none');
  await stranger.goto(`${shop.url}users`);
  await stranger.getByRole('textbox', { name: 'User name' }).fill('bench-2');
  await stranger.getByRole('textbox', { name: 'Password' }).fill('acorn-river');
  await stranger.keyboard.press('Enter');
  await stranger.getByRole('heading', { name: 'Admins only' }).waitFor();
  await take('users-picker', stranger);
  await stranger.context().clearCookies();
}

async function people({ shop, page, take }: Scene): Promise<void> {
  await page.goto(`${shop.url}users`);
  await page.getByRole('button', { name: 'Manage Jo' }).waitFor();
  await take('users-people');
  await page.getByRole('button', { name: 'Manage Ann Keller' }).click();
  await page.getByRole('menuitem', { name: 'Set a password…' }).waitFor();
  await take('users-manage');
  await page.getByRole('menuitem', { name: 'Set a password…' }).click();
  await page.getByRole('dialog').waitFor();
  await take('users-password');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('jo');
  await page.keyboard.press('Enter');
  await page.getByText('Too short').waitFor();
  await take('users-add-wrong');
  await page.getByRole('button', { name: 'Easy words' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('already exists').waitFor();
  await take('users-add-taken');
  await page.getByRole('textbox', { name: 'Name' }).fill('Lu');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alertdialog', { name: 'Tell Lu' }).waitFor();
  await take('users-told');
  await page.getByRole('button', { name: 'I have passed it on' }).click();
  await page.getByRole('button', { name: 'Manage Lu' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await page.getByRole('alertdialog').waitFor();
  await take('users-remove');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Lu removed').waitFor();
}

async function programs({ shop, page, take }: Scene): Promise<void> {
  await page.goto(`${shop.url}users/programs`);
  await page.getByRole('button', { name: 'New key for ERP' }).waitFor();
  await take('users-programs');
  await page.getByRole('button', { name: 'Add a program' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Scanner at goods in');
  await take('users-add-program');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('alertdialog').waitFor();
  await take('users-secrets');
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: 'New key for ERP' }).click();
  await page.getByRole('dialog').waitFor();
  await take('users-new-key');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove ERP' }).click();
  await page.getByRole('alertdialog').waitFor();
  await take('users-remove-program');
  await page.getByRole('button', { name: 'Cancel' }).click();
}
