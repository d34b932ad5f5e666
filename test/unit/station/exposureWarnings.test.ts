import { expect, test } from 'vitest';
import { warningsOf } from '../../../electron/server/http/port/exposure.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 20);
const CLOSED: Parameters<typeof warningsOf>[0] = {
  listens: 'this_machine',
  certificate: undefined,
  settings: { basic_auth: false, trusted_proxies: [], public_urls: [] },
  failure: '',
  turboFailure: '',
  weakness: '',
  now: NOW,
};

const codes = (changed: Partial<typeof CLOSED>) => warningsOf({ ...CLOSED, ...changed }).map(({ code }) => code);

const ending = (inDays: number, kind: 'given' | 'generated' = 'given') =>
  ({ kind, startsAt: NOW - DAY_MS, endsAt: NOW + inDays * DAY_MS }) as const;

test('does not warn about a closed station, or about an open one with encryption', () => {
  expect(codes({})).toEqual([]);
  expect(codes({ settings: { ...CLOSED.settings, basic_auth: true } })).toEqual([]);
  expect(codes({ listens: 'network', certificate: ending(100) })).toEqual([]);
});

test('warns about a certificate shortly before it expires, after it has expired, and before it is valid', () => {
  expect(codes({ certificate: ending(15) })).toEqual([]);
  expect(codes({ certificate: ending(13) })).toEqual(['certificate_ends_soon']);
  // The station renews its own certificate.
  expect(codes({ certificate: ending(13, 'generated') })).toEqual([]);
  expect(codes({ certificate: ending(0) })).toEqual(['certificate_ended']);
  expect(codes({ certificate: { ...ending(100), startsAt: NOW + 1 } })).toEqual(['certificate_early']);
});

test('warns about proxies without a public address, unencrypted network access, and a port that could not be opened', () => {
  const proxied = { ...CLOSED.settings, trusted_proxies: ['10.0.0.1'] };
  expect(codes({ settings: proxied })).toEqual(['proxy_unnamed']);
  expect(codes({ settings: { ...proxied, public_urls: ['https://lights.shop.example/'] } })).toEqual([]);
  const open = { listens: 'network', settings: { ...CLOSED.settings, basic_auth: true } } as const;
  expect(codes({ ...open, failure: 'Port 1 is taken.' })).toEqual(['not_opened', 'unencrypted', 'basic_auth']);
});
