import type { Scene } from './scene.ts';

/** Takes screenshots of the instructions for calling the station, and of requests from programs with their results. */
export async function developer({ shop, page, take }: Scene): Promise<void> {
  await page.goto(`${shop.url}developer/call`);
  await page.getByRole('heading', { name: 'How to call the station' }).waitFor();
  await take('developer-call');
  const added = (await shop.call('POST', 'api/api-users/', { name: 'Warehouse system', scope: 'control' })) as {
    api_key: string;
  };
  await send(shop.url, added.api_key, await shop.deviceAt('A-3-2'));
  await page.goto(`${shop.url}developer`);
  await page.getByText('Warehouse system').first().waitFor();
  await take('developer');
  await page.getByRole('radio', { name: 'Failed' }).click();
  await page.getByText('Invalid').first().waitFor();
  await page.getByRole('link', { name: /^400/ }).click();
  await page.getByRole('heading', { name: 'Send again' }).waitFor();
  await take('developer-failed');
  await page.getByRole('searchbox').fill('nothing like that');
  await page.getByRole('heading', { name: 'No request matches' }).waitFor();
  await take('developer-none');
  await shop.call('PATCH', 'api/settings/', { request_log: false });
  await page.goto(`${shop.url}developer`);
  await page.getByRole('heading', { name: 'The request log is off' }).waitFor();
  await take('developer-off');
  await page.getByRole('button', { name: 'Turn on' }).click();
}

/** Sends typical requests from a program. */
async function send(url: string, key: string, device: string): Promise<void> {
  const ask = (method: string, path: string, body?: unknown, apiKey = key) =>
    fetch(new URL(path, url), {
      method,
      headers: { 'api-key': apiKey, 'content-type': 'application/json', 'user-agent': 'warehouse/4.2' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const path = `/api/device/${device}/`;
  await ask('POST', path, { command: 'flash', line1: 'Cable tie 200', quantity: 12, color: 'g', nonce: 'pick-7' });
  await ask('POST', path, { command: 'flash', line1: 'Cable tie 200', seconds: -1, color: 'greenish' });
  await ask('GET', `${path}screen/`);
  await ask('GET', '/api/devices');
  await ask('GET', '/api/settings/');
  await ask('GET', '/api/device/', undefined, 'a key that nobody knows');
  await ask('POST', '/api/devices/', [
    { location: 'B-1-1', statica: 'Cable tie 300', staticb: 'on hand 9' },
    { location: 'A-3-2', statica: 'Cable tie 200', staticb: 'on hand 63' },
  ]);
  await ask('POST', path, { command: 'kill' });
}
