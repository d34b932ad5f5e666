import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { createListener } from '../../../electron/server/http/port/listener.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

const nothing = (): void => undefined;

/** Returns the addresses that a station started with `--host` announces on a machine with IPv4 and IPv6. */
function addressesAt(host: string): string[] {
  const exposure = createListener({
    usualPort: 4680,
    config: { dataFolder: '', host, port: 4680, tls: undefined },
    settings: () => ({ ...DEFAULT_SETTINGS, public_urls: ['https://lights.shop.example/'] }),
    machine: () => ({ names: ['shop-pc'], addresses: ['192.168.1.7', '2001:db8::7'] }),
    clock: createFakeClock(START_MS),
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    renewed: nothing,
    weakness: '',
  });
  return exposure.answer().addresses;
}

test.each([
  ['0.0.0.0', ['http://127.0.0.1:4680/', 'http://192.168.1.7:4680/']],
  ['::', ['http://127.0.0.1:4680/', 'http://192.168.1.7:4680/', 'http://[2001:db8::7]:4680/']],
  ['192.168.1.7', ['http://192.168.1.7:4680/']],
  ['::1', ['http://[::1]:4680/']],
])('a station at %s announces the addresses that reach it, and its public ones', (host, addresses) => {
  expect(addressesAt(host)).toEqual([...addresses, 'https://lights.shop.example/']);
});
