import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FoundControllerEntry, TurboLink } from '#shared/api/turbo.ts';
import { ConnectController, EditKey } from '../../../renderer/src/shop/connect/ConnectController.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';
import { LINK } from './turboSupport.ts';

const STRIP = {
  kind: 'wled',
  url: 'http://192.168.1.30/',
  name: '<b>Rack 3</b>',
  linked: false,
  needs_key: false,
} as const;
const NAMELESS = { ...STRIP, url: 'http://192.168.1.31:8080/', name: '' };
const TAKEN = { ...STRIP, url: 'http://192.168.1.32/', name: 'Rack 1', linked: true };
const ACCESS_POINT = {
  kind: 'openepaperlink',
  url: 'http://192.168.1.40/',
  name: 'Shop',
  linked: false,
  needs_key: false,
} as const;
const DISPLAY = {
  kind: 'opendisplay',
  url: 'opendisplay://192.168.1.50:2447/',
  name: 'OD1',
  linked: false,
  needs_key: true,
} as const;
const ALL = [STRIP, NAMELESS, TAKEN, ACCESS_POINT, DISPLAY];

/** Opens the dialog with this network search, and records the connections that the dialog adds. */
async function open(kind: FoundControllerEntry['kind'], findControllers: Stubs['findControllers']) {
  const asked: object[] = [];
  let closed = 0;
  const addTurboLink: Stubs['addTurboLink'] = async ({ body: link }) => {
    asked.push(link);
    return { ...LINK, kind, name: link.name ?? '' };
  };
  const context = testContext({ station: station() }, { findControllers, addTurboLink });
  await act(async () => show(context, <ConnectController kind={kind} onClose={() => (closed += 1)} />));
  return { asked, closed: () => closed };
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const found = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('lists found controllers of this kind by name and address, and marks connected ones', async () => {
  const answers = Promise.withResolvers<readonly FoundControllerEntry[]>();
  let searches = 0;
  await open('wled', () => {
    searches += 1;
    return answers.promise;
  });
  expect(searches).toBe(0);
  await press('Search the network');
  await press('Searching…');
  expect(searches).toBe(1);
  await act(async () => answers.resolve(ALL));
  expect(screen.getByText('3 found.')).toBeTruthy();
  expect(found()).toEqual([
    '<b>Rack 3</b>192.168.1.30Connect',
    '192.168.1.31:8080Connect',
    'Rack 1192.168.1.32Connected',
  ]);
  expect(screen.queryByRole('button', { name: 'Connect to Rack 1' })).toBeNull();
});

test('connects a found access point with one press, and keeps its name', async () => {
  const { asked, closed } = await open('openepaperlink', () => Promise.resolve(ALL));
  await press('Search the network');
  await press('Connect to Shop');
  expect(asked).toEqual([{ kind: 'openepaperlink', url: ACCESS_POINT.url, name: 'Shop' }]);
  expect(closed()).toBe(1);
});

test('connects a found display with encryption once its key is entered', async () => {
  const { asked, closed } = await open('opendisplay', () => Promise.resolve(ALL));
  await press('Search the network');
  await press('Connect to OD1');
  expect(asked).toEqual([]);
  expect(screen.getByText(/^This display uses encryption\. Enter its key below/)).toBeTruthy();
  const key = '00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff';
  fireEvent.change(screen.getByLabelText(/^Key/), { target: { value: key } });
  await press('Connect to OD1');
  expect(asked).toEqual([{ kind: 'opendisplay', url: DISPLAY.url, name: 'OD1', key }]);
  expect(closed()).toBe(1);
});

test('connects a display by its address without a key, and rejects an invalid key', async () => {
  const { asked } = await open('opendisplay', () => Promise.resolve([]));
  fireEvent.change(screen.getByRole('textbox', { name: /^Address/ }), { target: { value: '192.168.1.50' } });
  fireEvent.change(screen.getByLabelText(/^Key/), { target: { value: 'secret' } });
  await press('Connect');
  expect(screen.getByText('A key has 32 digits, 0 to 9 and A to F.')).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Key/), { target: { value: '' } });
  await press('Connect');
  expect(asked).toEqual([{ kind: 'opendisplay', url: 'opendisplay://192.168.1.50', name: '' }]);
});

test('asks for the places of a strip after connecting it', async () => {
  const { asked, closed } = await open('wled', () => Promise.resolve(ALL));
  fireEvent.change(screen.getByRole('textbox', { name: /^Name/ }), { target: { value: 'Aisle 4' } });
  await press('Search the network');
  await press('Connect to 192.168.1.31:8080');
  expect(asked).toEqual([{ kind: 'wled', url: NAMELESS.url, name: 'Aisle 4' }]);
  expect(
    within(screen.getByRole('dialog', { name: 'Places on Aisle 4' })).getByRole('textbox', { name: /^Places/ }),
  ).toBeTruthy();
  expect(closed()).toBe(0);
});

test('ignores further presses while a controller is being connected', async () => {
  let asked = 0;
  const context = testContext(
    { station: station() },
    {
      findControllers: () => Promise.resolve([STRIP, NAMELESS]),
      addTurboLink: () => {
        asked += 1;
        return Promise.withResolvers<TurboLink>().promise;
      },
    },
  );
  await act(async () => show(context, <ConnectController kind="wled" onClose={() => undefined} />));
  await press('Search the network');
  await press('Connect to <b>Rack 3</b>');
  await press('Connect to 192.168.1.31:8080');
  await press('Search the network');
  expect([asked, found().length]).toEqual([1, 2]);
});

test('says that a search found nothing or failed, and can repeat the search', async () => {
  const answers: (() => Promise<readonly FoundControllerEntry[]>)[] = [
    () => Promise.resolve([ACCESS_POINT]),
    () => Promise.reject(new ApiError('conflict', 'This machine has no network to search.')),
    () => Promise.resolve([STRIP]),
  ];
  await open('wled', () => answers.shift()?.() ?? Promise.resolve([]));
  await press('Search the network');
  expect(screen.getByText(/^None found\. Check that it is on/)).toBeTruthy();
  await press('Search the network');
  expect(screen.getByText('This machine has no network to search.')).toBeTruthy();
  expect(screen.queryByText(/^None found/)).toBeNull();
  await press('Search the network');
  expect(screen.queryByText('This machine has no network to search.')).toBeNull();
  expect(screen.getByText('1 found.')).toBeTruthy();
});

test('if a strip cannot be connected, the dialog stays open and shows the reason', async () => {
  const context = testContext(
    { station: station() },
    {
      findControllers: () => Promise.resolve([STRIP]),
      addTurboLink: () => Promise.reject(new ApiError('conflict', '32 links are open.')),
    },
  );
  await act(async () => show(context, <ConnectController kind="wled" onClose={() => undefined} />));
  await press('Search the network');
  await press('Connect to <b>Rack 3</b>');
  expect(screen.getByText('32 links are open.')).toBeTruthy();
});

const LINKED: TurboLink = { ...LINK, kind: 'opendisplay', url: DISPLAY.url, name: 'OD1', key_set: true };

test.each([
  ['replaces', '00112233-44556677-8899AABB-CCDDEEFF', { key: '00112233-44556677-8899AABB-CCDDEEFF' }],
  ['removes', '', { key: null }],
])('%s the key of a display', async (_what, typed, sent) => {
  const asked: unknown[] = [];
  let closed = 0;
  const changeTurboLink: Stubs['changeTurboLink'] = async ({ path: { id }, body: change }) => {
    asked.push([id, change]);
    return LINKED;
  };
  const context = testContext({ station: station() }, { changeTurboLink });
  await act(async () => show(context, <EditKey link={LINKED} onClose={() => (closed += 1)} />));
  expect(screen.getByRole('dialog', { name: 'Key of OD1' })).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Key(?! of)/), { target: { value: 'secret' } });
  await press('Save');
  expect(screen.getByText('A key has 32 digits, 0 to 9 and A to F.')).toBeTruthy();
  fireEvent.change(screen.getByLabelText(/^Key(?! of)/), { target: { value: typed } });
  await press('Save');
  expect([asked, closed]).toEqual([[[LINKED.id, sent]], 1]);
});

test('rejects an empty key for a display without a key', async () => {
  const asked: unknown[] = [];
  const changeTurboLink: Stubs['changeTurboLink'] = async ({ path: { id }, body: change }) => {
    asked.push([id, change]);
    return LINKED;
  };
  const context = testContext({ station: station() }, { changeTurboLink });
  await act(async () => show(context, <EditKey link={{ ...LINKED, key_set: false }} onClose={() => undefined} />));
  await press('Save');
  expect(screen.getByText('A key has 32 digits, 0 to 9 and A to F.')).toBeTruthy();
  expect(asked).toEqual([]);
});
