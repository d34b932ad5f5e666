import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { PickPage } from '../../../renderer/src/features/pick/PickPage.tsx';
import { userOf } from '../../helpers/snapshots.ts';
import { device, show, station, testContext } from '../support.tsx';
import { litItem, pickLine, pickOrder } from './pickRig.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

async function typeDigit(exist: boolean): Promise<void> {
  window.history.replaceState(null, '', '/pick/SO-1');
  const context = testContext(
    {
      station: { ...station(device('51D000:000001')), user: userOf('Anna', 'picker') },
      connection: { kind: 'live' },
      session: 'signedIn',
    },
    {
      listWork: async () => [pickLine(1)],
      getOrder: async () => pickOrder([litItem(1)]),
      listPickers: async () => [],
      getShortNumbers: async () => ({ exist }),
    },
  );
  await act(async () => show(context, <PickPage />));
  await vi.waitFor(() => expect(document.querySelector('h2')).not.toBeNull());
  await act(async () => fireEvent.keyDown(document.body, { key: '2', code: 'Digit2' }));
}

test.each([
  [
    'is a code if the shop has such names, and the page shows how to type a quantity',
    true,
    '2 is a code. Quantity: *2',
  ],
  ['is a quantity otherwise', false, '2 then Enter'],
])('a typed digit %s', async (_, exist, shown) => {
  await typeDigit(exist);
  expect(screen.getByText('2', { selector: 'kbd' }).parentElement?.textContent).toBe(shown);
});
