import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ConnectionBar } from '../../../renderer/src/app/frame/ConnectionBar.tsx';
import { device, show, station, testContext } from '../support.tsx';

const AT = new Date(2026, 10, 20, 8, 5, 9).getTime();

test('shows since when the connection has been lost, and that the page reconnects automatically', () => {
  const context = testContext({ station: station(device('51D000:000001')) });
  show(context, <ConnectionBar />);
  act(() => context.store.setState({ connection: { kind: 'lost', sinceAt: AT } }));
  const words = screen.getByText('Connection to the station lost.').parentElement?.textContent;
  expect(words).toContain('It reconnects automatically.');
  expect(words).toContain('Since 08:05:09');
});

test('an outdated page offers to reload, but only while connected', () => {
  const context = testContext({ station: station(), outdated: true, connection: { kind: 'lost', sinceAt: AT } });
  show(context, <ConnectionBar />);
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
  act(() => context.store.setState({ connection: { kind: 'live' } }));
  expect(screen.getByText('The station was updated.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
});
