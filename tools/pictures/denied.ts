import type { Scene } from './scene.ts';

/** Takes screenshots of what a picker sees in place of actions that the role does not allow. */
export async function denied({ shop, stranger, take }: Scene): Promise<void> {
  await stranger.goto(`${shop.url}orders`);
  await stranger.getByRole('textbox', { name: 'User name' }).fill('bench-2');
  await stranger.getByRole('textbox', { name: 'Password' }).fill('acorn-river');
  await stranger.getByRole('button', { name: 'Sign in' }).click();
  await stranger.getByRole('button', { name: 'New order' }).click();
  await stranger.getByRole('dialog', { name: 'Not allowed' }).waitFor();
  await take('denied-button', stranger);
  await stranger.keyboard.press('Escape');
  await stranger.goto(`${shop.url}locations`);
  await stranger.getByRole('button', { name: 'More for A-3-2', exact: true }).click();
  await stranger.getByText('Requires the admin role').first().waitFor();
  await take('denied-menu', stranger);
  await stranger.goto(`${shop.url}orders/import`);
  await stranger.getByText('does not allow you').waitFor();
  await take('denied-page', stranger);
  await stranger.context().clearCookies();
}
