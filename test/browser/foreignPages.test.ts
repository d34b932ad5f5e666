import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LoggedRequest } from '#shared/api/requestLog.ts';
import type { Sequence } from '#shared/api/sequence.ts';
import { useShop } from './shop.ts';
import { signIn } from './window.ts';

const DEVICE = '51D000:000001';
/** Addresses that act on a GET request, authorized by the session cookie. */
const ACTS = [`/api/${DEVICE}/message/lit/`, '/api/launchsequence/round/'];

const shop = useShop('foreign');
const site = createServer((req, res) => {
  asked.push(req.headers);
  const policy = req.url === '/silent/' ? 'no-referrer' : 'unsafe-url';
  res.setHeader('content-type', 'text/html');
  res.end(`<!doctype html><meta name="referrer" content="${policy}"><title>Foreign</title>`);
});
let asked: IncomingHttpHeaders[] = [];
let sitePort = 0;
let stationPort = '';

beforeAll(async () => {
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  sitePort = (site.address() as AddressInfo).port;
});

afterAll(() => void site.close());

beforeEach(async () => {
  asked = [];
  await shop.start(1);
  stationPort = new URL(shop.url).port;
  await shop.call('PATCH', '/api/settings/', { public_urls: [`http://station.test:${stationPort}/`] });
  const steps = [{ order: 1, location: DEVICE, command: 'pick', line1: 'step' }];
  await shop.call('POST', '/api/sequence/', { sequenceid: 'round', steps });
});

/** Returns the logged requests to these addresses, oldest first. */
async function acted(): Promise<LoggedRequest[]> {
  const all = await shop.call<LoggedRequest[]>('GET', '/api/requests/?limit=500');
  return all.filter(({ path }) => ACTS.includes(path)).toReversed();
}

async function litCount(): Promise<number> {
  return (await shop.call<{ commands: unknown[] }>('GET', `/api/device/${DEVICE}/`)).commands.length;
}

/** Fetches the addresses in every way that a page can without asking the user. */
const FETCHES = `async (addresses) => {
  for (const address of addresses) {
    const image = new Image();
    await new Promise((over) => { image.onload = image.onerror = over; image.src = address; });
    const frame = document.createElement('iframe');
    await new Promise((over) => { frame.onload = over; frame.src = address; document.body.append(frame); });
    await fetch(address, { mode: 'no-cors', credentials: 'include' }).catch(() => undefined);
  }
}`;

test.each([
  ['another port of this machine', '127.0.0.1', '127.0.0.1', 'session'],
  ['another site', '127.0.0.1', 'evil.test', 'none'],
  ['another machine of the same domain, over plain HTTP', 'station.test', 'evil.station.test', 'session'],
  ['another port of the same name, over plain HTTP', 'station.test', 'station.test', 'session'],
  ['another site, over plain HTTP', 'station.test', 'evil.test', 'none'],
] as const)(
  'a page on %s cannot light a device with the session of the person who opens it',
  async (_, own, foreign, embedded) => {
    const home = `http://${own}:${stationPort}/`;
    const window = await shop.openWindow('light', home);
    await signIn(window, home);
    const { page } = window;
    const addresses = ACTS.map((path) => new URL(path, home).href);
    for (const kind of ['open', 'silent']) {
      const before = (await acted()).length;
      await page.goto(`http://${foreign}:${sitePort}/${kind}/`);
      await page.evaluate(`(${FETCHES})(${JSON.stringify(addresses)})`);
      const fetched = (await acted()).slice(before);
      expect(fetched.map(({ credential }) => credential)).toEqual(Array.from({ length: 6 }, () => embedded));
      for (const address of addresses) {
        // When a link or a script navigates the whole window, the browser always sends the cookie.
        const count = (await acted()).length;
        await page.goto(`http://${foreign}:${sitePort}/${kind}/`);
        await Promise.all([page.waitForURL(address), page.evaluate(`location.href = ${JSON.stringify(address)}`)]);
        expect(await acted()).toHaveLength(count + 1);
        expect((await acted()).at(-1)).toMatchObject({ credential: 'session', status: 403, code: 'foreign_origin' });
      }
      const statuses = new Set((await acted()).map(({ status }) => status));
      expect([...statuses].filter((status) => status !== 401 && status !== 403)).toEqual([]);
    }
    expect(await litCount()).toBe(0);
    expect(await shop.call<Sequence>('GET', '/api/sequence/round/')).toMatchObject({ state: 'unstarted' });
    // These cases exist because the browser sends Sec-Fetch-Site only to some host names.
    expect(asked.some((headers) => headers['sec-fetch-site'] !== undefined)).toBe(foreign === '127.0.0.1');
  },
);

test.each(['127.0.0.1', 'station.test'])(
  "at %s, the station's own page can light a device and launch a sequence",
  async (name) => {
    const home = `http://${name}:${stationPort}/`;
    const window = await shop.openWindow('light', home);
    await signIn(window, home);
    for (const path of ACTS) {
      expect(await window.page.evaluate(`fetch(${JSON.stringify(path)}).then(({ status }) => status)`), path).toBe(200);
    }
    expect(await litCount()).toBe(2);
  },
);
