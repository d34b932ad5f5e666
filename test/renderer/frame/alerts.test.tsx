import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Fact } from '#shared/api/station.ts';
import { AlertsPage } from '../../../renderer/src/features/alerts/AlertsPage.tsx';
import { bellOf, destinationsOf, PAGES } from '../../../renderer/src/app/pages.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { Rail } from '../../../renderer/src/app/frame/Rail.tsx';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { alert, AT, userOf } from '../../helpers/snapshots.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';

const ONE = '51D000:000001';

const OFFLINE_TURBO = alert('2', { kind: 'turbo_offline', deviceid: null, turbo: 'T-1', value: 60, threshold: 60 });
const SEEN = { acknowledged: AT, acknowledged_by: 'Ann' };

function open(alerts: Alert[], calls: Partial<Stubs> = {}, scope: 'read' | 'control' | 'admin' = 'control') {
  const known = { ...station(device(ONE, { locationoverride: 'A-1' })), alerts, user: userOf('jo', scope) };
  const context = testContext({ station: known }, calls);
  show(context, <AlertsPage />);
  let revision = known.revision;
  const tell = (...facts: Fact[]) =>
    act(async () => applyMessages(context.store, [{ kind: 'facts', revision: (revision += 1), facts }]));
  return { context, tell };
}

const lines = () => screen.queryAllByRole('listitem').map((line) => line.textContent);
const press = (name: RegExp | string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

beforeEach(() => window.history.replaceState(null, '', '/alerts'));

test('each alert shows the problem, the place and what to do, and links to the device', () => {
  open([alert('1'), OFFLINE_TURBO]);
  expect(lines()).toEqual([
    expect.stringMatching(/^Gateway offline · T-1Check its power/),
    expect.stringMatching(/^Battery low, 12 % · A-1Change its battery soon/),
  ]);
  expect(screen.getByRole('link', { name: 'A-1' }).getAttribute('href')).toBe(`/today?device=${ONE}`);
  expect(screen.getByRole('status').textContent).toBe('2 open, 2 unseen');
});

const LOST = alert('3', {
  kind: 'data_lost',
  deviceid: null,
  about: 'lost-1',
  value: null,
  threshold: null,
  problem: 'Three changes are missing.',
});

test('a station alert explains what happened and links to the page to check', () => {
  open([LOST]);
  expect(lines()).toEqual([expect.stringMatching(/^Data lost · BackupsThree changes are missing\./)]);
  expect(screen.getByRole('link', { name: 'Backups' }).getAttribute('href')).toBe('/settings');
});

test('dismisses a station alert with one press, or shows why that failed', async () => {
  const endAlert = vi.fn().mockRejectedValueOnce(new ApiError('conflict', 'Alert 3 is over.')).mockResolvedValue(null);
  open([alert('1'), LOST], { endAlert });
  expect(screen.getAllByRole('button', { name: /^Dismiss/ })).toHaveLength(1);
  await press('Dismiss: Data lost');
  expect(screen.getByText(/The alert was not dismissed\. Alert 3 is over\./)).toBeDefined();
  await press('Dismiss: Data lost');
  expect(endAlert).toHaveBeenNthCalledWith(2, { path: { id: '3' } });
});

test('with read access only, “Dismiss” explains why it is not allowed and sends nothing', async () => {
  const endAlert = vi.fn(() => Promise.resolve());
  open([LOST], { endAlert }, 'read');
  await press('Dismiss: Data lost');
  expect(screen.getByRole('dialog', { name: 'Not allowed' }).textContent).toContain('acknowledge and resolve alerts');
  expect(endAlert).not.toHaveBeenCalled();
});

test('marking an alert as seen moves it below the unseen ones and shows who saw it', async () => {
  const acknowledgeAlert = vi.fn(() => Promise.resolve());
  const second = alert('2', { kind: 'signal_weak', value: -90 });
  const { tell } = open([alert('1'), second], { acknowledgeAlert });
  await press('Mark as seen: Weak signal, −90 dBm, A-1');
  expect(acknowledgeAlert).toHaveBeenCalledWith({ path: { id: '2' } });
  await tell({ type: 'alert.changed', alert: { ...second, ...SEEN } });
  expect(lines().map((line) => line?.slice(0, 7))).toEqual(['Battery', 'Weak si']);
  expect(within(screen.getAllByRole('listitem')[1] ?? document.body).getByText('Seen by Ann')).toBeDefined();
  expect(screen.getByRole('status').textContent).toBe('2 open, 1 unseen');
});

test('alerts appear and disappear live, and the page says if there are no open alerts', async () => {
  const { tell } = open([]);
  expect(screen.getByRole('heading', { name: 'No open alerts' })).toBeDefined();
  await tell({ type: 'alert.raised', alert: alert('1') });
  expect(lines()).toHaveLength(1);
  await tell({ type: 'alert.ended', alert: alert('1', { ended: AT }) });
  expect(screen.getByRole('heading', { name: 'No open alerts' })).toBeDefined();
});

test('a failed "Mark as seen" shows the reason and can be retried', async () => {
  const acknowledgeAlert = vi.fn(() => Promise.reject(new ApiError('conflict', 'Alert 1 is over.')));
  open([alert('1')], { acknowledgeAlert });
  await press(/^Mark as seen/);
  expect(screen.getByText(/The alert was not marked as seen\. Alert 1 is over\./)).toBeDefined();
  await press(/^Mark as seen/);
  expect(acknowledgeAlert).toHaveBeenCalledTimes(2);
});

test('one press marks all alerts as seen', async () => {
  const acknowledgeAlerts = vi.fn(() => Promise.resolve());
  const { tell } = open([alert('1'), OFFLINE_TURBO], { acknowledgeAlerts });
  await press('Mark all as seen');
  expect(acknowledgeAlerts).toHaveBeenCalledTimes(1);
  await tell({ type: 'alert.changed', alert: alert('1', SEEN) });
  expect(screen.queryByRole('button', { name: 'Mark all as seen' })).toBeNull();
});

test('with read access only, every action explains why it is not allowed', () => {
  open([alert('1'), OFFLINE_TURBO], {}, 'read');
  const reasons = screen
    .getAllByRole('button')
    .map((button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent);
  expect(reasons).toHaveLength(4);
  for (const reason of reasons) expect(reason).toMatch(/does not allow you to acknowledge and resolve alerts/);
});

test('“Stop waiting” for an offline turbo asks for confirmation once', async () => {
  const endAlert = vi.fn(() => Promise.resolve());
  open([OFFLINE_TURBO], { endAlert });
  await press('Stop waiting for T-1');
  expect(screen.getByRole('alertdialog', { name: 'Stop waiting for T-1?' })).toBeDefined();
  expect(endAlert).not.toHaveBeenCalled();
  await press('Stop waiting');
  expect(endAlert).toHaveBeenCalledWith({ path: { id: '2' } });
});

test('draws the first 100 of many alerts, and more on request', async () => {
  open(Array.from({ length: 250 }, (_, index) => alert(String(index + 1))));
  // Do not query by role, because that takes seconds with hundreds of lines.
  const drawn = () => document.querySelectorAll('li').length;
  const more = (words: string) => act(async () => fireEvent.click(screen.getByText(words)));
  expect(drawn()).toBe(100);
  await more('Show 100 more');
  await more('Show 50 more');
  expect(drawn()).toBe(250);
});

test('draws the alert named in the address even if it is far down the list', async () => {
  window.history.replaceState(null, '', '/alerts?alert=40');
  open(Array.from({ length: 250 }, (_, index) => alert(String(index + 1))));
  // The newest of the 250 alerts is first, so alert 40 is in line 211.
  expect(document.querySelectorAll('li')).toHaveLength(211);
  expect(document.querySelectorAll('li')[210]?.hasAttribute('data-meant')).toBe(true);
  await act(async () => fireEvent.click(screen.getByText('Show 39 more')));
  expect(document.querySelectorAll('li')).toHaveLength(250);
});

test('loads resolved alerts page by page, and reloads them when another alert is resolved', async () => {
  window.history.replaceState(null, '', '/alerts/ended');
  const all = Array.from({ length: 60 }, (_, index) => alert(String(60 - index), { ended: AT, ...SEEN }));
  const loadEndedAlerts = vi.fn<Stubs['listAlerts']>(({ query: { after = '61' } }) =>
    Promise.resolve(all.filter(({ id }) => Number(id) < Number(after)).slice(0, 50)),
  );
  const { tell } = open([alert('61')], { listAlerts: loadEndedAlerts });
  await act(async () => undefined);
  expect(lines()).toHaveLength(50);
  expect(lines()[0]).toMatch(/Seen by Ann/);
  await press('Show older');
  expect(lines()).toHaveLength(60);
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull();
  await tell({ type: 'alert.ended', alert: alert('61', { ended: AT }) });
  expect(loadEndedAlerts).toHaveBeenLastCalledWith({ query: { limit: 50, state: 'ended' } });
});

test('the rail shows the number of unseen alerts', async () => {
  const context = testContext({ station: { ...station(), alerts: [alert('1'), OFFLINE_TURBO, alert('3', SEEN)] } });
  const theme = createThemeChoice({
    root: document.documentElement,
    storage: { get: () => null, set: () => undefined },
  });
  show(
    context,
    <Rail
      pages={destinationsOf(PAGES, false)}
      bell={bellOf(PAGES)}
      open="today"
      theme={theme}
      search={() => undefined}
    />,
  );
  const link = screen.getByRole('link', { name: /Alerts/ });
  expect([link.getAttribute('href'), link.textContent]).toEqual(['/alerts', '2Alerts2 new alerts']);
  const facts: Fact[] = ['1', '2'].map((id) => ({ type: 'alert.changed', alert: alert(id, SEEN) }));
  await act(async () => applyMessages(context.store, [{ kind: 'facts', revision: 6, facts }]));
  expect(link.textContent).toBe('Alerts');
});

const EXTENSION = 'chrome-extension://abcdef';
const REFUSED = alert('4', {
  kind: 'origin_refused',
  deviceid: null,
  about: EXTENSION,
  value: null,
  threshold: null,
  problem: `A browser extension was refused (${EXTENSION}).`,
});

test('a refused browser extension can be allowed after a confirmation, or blocked for good', async () => {
  const allowRefusedCaller = vi.fn(() => Promise.resolve());
  const neverAllowRefusedCaller = vi.fn(() => Promise.resolve());
  open([REFUSED], { allowRefusedCaller, neverAllowRefusedCaller }, 'admin');
  expect(lines()).toEqual([expect.stringMatching(/A browser extension was refused \(chrome-extension:\/\/abcdef\)/)]);
  expect(screen.queryByRole('button', { name: /^Dismiss/ })).toBeNull();
  await press(`Allow ${EXTENSION}`);
  expect(allowRefusedCaller).not.toHaveBeenCalled();
  await act(async () =>
    fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Allow' })),
  );
  expect(allowRefusedCaller).toHaveBeenCalledWith({ path: { id: '4' } });
  await press(/^Never allow chrome-extension/);
  expect(neverAllowRefusedCaller).toHaveBeenCalledWith({ path: { id: '4' } });
});

test('without the right to change settings, “Allow” explains why it is not allowed and sends nothing', async () => {
  const allowRefusedCaller = vi.fn(() => Promise.resolve());
  open([REFUSED], { allowRefusedCaller }, 'control');
  await press(`Allow ${EXTENSION}`);
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByRole('dialog').textContent).toContain('admin');
  expect(allowRefusedCaller).not.toHaveBeenCalled();
});

test('highlights the alert named in the address, such as after a click on a notification', () => {
  window.history.replaceState(null, '', '/alerts?alert=2');
  open([alert('1'), OFFLINE_TURBO]);
  expect(screen.getAllByRole('listitem').map((line) => line.hasAttribute('data-meant'))).toEqual([true, false]);
});
