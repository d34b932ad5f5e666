import { expect, test } from 'vitest';
import { findPage, homeOf, isPagePath, movedTo, type PageId, routeId } from '#shared/lib/station/pageRoutes.ts';

const HOME = '/today';

/** Returns the address that the address bar shows after `address` is opened, or undefined if it does not change. */
function led(address: string, home = HOME): string | undefined {
  return movedTo(new URL(address, 'http://station.example'), home);
}

/** Every address of earlier versions, including those in links and e-mails, with the page that it opens now. */
const FORMER: Readonly<Record<string, PageId>> = {
  '/': 'today',
  '/?find=10418': 'today',
  '/?zone=aisle': 'today',
  '/devices/51D000:000001': 'today',
  '/devices/51D000:000001?zone=aisle': 'today',
  '/alerts': 'alerts',
  '/alerts/ended': 'alerts',
  '/orders': 'orders',
  '/orders/import': 'import',
  '/orders/SO%2F1': 'orders',
  '/orders/10418/print': 'orders',
  '/sequences': 'sequences',
  '/sequences/kit%202': 'sequences',
  '/sequences?view=new&from=kit': 'sequences',
  '/locations': 'places',
  '/locations/import': 'import',
  '/places/import': 'import',
  '/locations/print': 'places',
  '/devices': 'places',
  '/devices?show=silent': 'places',
  '/devices/batteries': 'places',
  '/places/devices': 'places',
  '/places/devices?show=silent': 'places',
  '/turbos': 'gateways',
  '/turbos/T%201/frames': 'gateways',
  '/callbacks': 'callbacks',
  '/callbacks/to': 'callbacks',
  '/callbacks/17': 'callbacks',
  '/history': 'history',
  '/history/17': 'history',
  '/history?range=all&order=10418': 'history',
  '/users': 'people',
  '/users/programs': 'programs',
  '/users/kiosks': 'people',
  '/users/activity': 'people',
  '/developer': 'developer',
  '/developer/call': 'developer',
  '/settings': 'settings',
  '/settings#network': 'settings',
  '/settings#updates': 'settings',
  '/settings#about': 'settings',
  '/settings#callbacks': 'callbackSettings',
  '/settings#mqtt': 'mqtt',
  '/settings#folders': 'folders',
  '/settings#mail': 'mail',
  '/pick': 'pick',
  '/pick/10418': 'pick',
  '/fleet': 'fleet',
  '/fleet/alerts': 'fleet',
  '/locate': 'locate',
  '/help': 'help',
  '/licences': 'licences',
  '/scanner': 'scanner',
  '/setup-devices': 'setUp',
  '/setup-devices/print': 'setUp',
  '/welcome': 'welcome',
  '/board': 'board',
};

test.each(Object.entries(FORMER))('the former address %s leads to the page %s', (address, page) => {
  const { pathname } = new URL(address, 'http://station.example');
  expect(isPagePath(pathname)).toBe(true);
  const target = led(address) ?? address;
  expect(findPage(new URL(target, 'http://station.example').pathname)).toBe(page);
  expect(led(target)).toBeUndefined();
});

test('a moved address keeps its parameters, its query and its hash', () => {
  expect(led('/devices/51D000:000001?zone=aisle')).toBe('/today?device=51D000:000001&zone=aisle');
  expect(led('/sequences/kit%202#steps')).toBe('/connections/sequences/kit%202#steps');
  expect(led('/callbacks/a$&b')).toBe('/connections/callbacks/a$&b');
  expect(led('/places/devices?show=silent')).toBe('/places?columns=devices&sort=state&show=silent');
  expect(led('/orders/import')).toBe('/import?what=orders');
  expect(led('/locations/import/')).toBe('/import?what=places');
  // `%69mport` is an order number, not a former address.
  expect(led('/orders/%69mport')).toBeUndefined();
  expect(led('/locations/?q=A-1')).toBe('/places?q=A-1');
  expect(led('/settings#mqtt')).toBe('/connections/mqtt');
  expect(led('/settings/#mqtt')).toBe('/connections/mqtt');
  expect(led('/?find=10418')).toBe('/today?find=10418');
  expect(led('/settings#network')).toBeUndefined();
});

test('pickers and phones begin at Pick, everybody else at Today', () => {
  expect(homeOf({ isPicker: false, isNarrow: false })).toBe('/today');
  expect(homeOf({ isPicker: true, isNarrow: false })).toBe('/pick');
  expect(homeOf({ isPicker: false, isNarrow: true })).toBe('/pick');
  expect(led('/', '/pick')).toBe('/pick');
});

test('returns the id in an address unchanged', () => {
  expect(routeId('/orders/SO%2F1')).toBe('SO%2F1');
  expect(routeId('/orders/SO%2F1/print')).toBe('SO%2F1');
  expect(routeId('/connections/callbacks/17')).toBe('17');
  expect(routeId('/orders')).toBeUndefined();
  expect(routeId('/elsewhere/17')).toBeUndefined();
});

test('unknown addresses match no page', () => {
  const others = ['/device', '/devices//', '/devices/a/b', '/Settings', '/settings/x', '/connections/x', ''];
  expect(others.filter(isPagePath)).toEqual([]);
  expect(others.map((path) => findPage(path)).filter((page) => page !== undefined)).toEqual([]);
});
