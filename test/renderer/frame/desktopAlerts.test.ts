import { expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Fact } from '#shared/api/station.ts';
import { startDesktopAlerts } from '../../../renderer/src/features/alerts/desktopAlerts.ts';
import { applyMessages, createStationStore, takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { createNotifyChoice } from '../../../renderer/src/shop/notifyChoice.ts';
import { alert, device, station } from '../../helpers/snapshots.ts';

const HERE = device('51D000:000001', { locationoverride: 'A-1' });

function start(isOn = () => true) {
  const store = createStationStore({ station: station(HERE) });
  const shown: { title: string; body: string; tag: string; onClick(): void; closed: boolean }[] = [];
  const opened: string[] = [];
  let timers: (() => void)[] = [];
  let revision = 10;
  const stop = startDesktopAlerts({
    store,
    isOn,
    show(notice) {
      const entry = { ...notice, closed: false };
      shown.push(entry);
      return { close: () => void (entry.closed = true) };
    },
    setTimer(run) {
      timers.push(run);
      return () => void (timers = timers.filter((timer) => timer !== run));
    },
    go: (path) => void opened.push(path),
  });
  const handle = (...facts: Fact[]): void =>
    applyMessages(store, [{ kind: 'facts', revision: (revision += 1), facts }]);
  const raise = (...alerts: Alert[]): void =>
    handle(...alerts.map((one) => ({ type: 'alert.raised' as const, alert: one })));
  const pass = (): void => timers.splice(0).forEach((run) => run());
  return { store, shown, opened, handle, raise, pass, stop, waits: () => timers.length };
}

test('shows a notification for a new alert, and a click on it opens the alert', () => {
  const { store, shown, opened, raise, pass } = start();
  raise(alert('7'));
  expect(shown).toEqual([]);
  pass();
  expect(shown).toMatchObject([{ tag: 'alert 7', body: 'Change its battery soon.' }]);
  expect(shown[0]?.title).toMatch(/^Battery low.*: A-1$/);
  shown[0]?.onClick();
  expect(opened).toEqual(['/alerts?alert=7']);
  // Other changes to the store do not repeat the notification.
  store.setState({ connection: { kind: 'live' } });
  pass();
  expect(shown).toHaveLength(1);
});

test('combines several new alerts into one notification that opens the list', () => {
  const { shown, opened, raise, pass } = start();
  raise(alert('1'), alert('2'));
  raise(alert('3'), alert('4', { kind: 'turbo_offline', deviceid: null, turbo: 'T1' }));
  pass();
  expect(shown).toMatchObject([{ title: '4 new alerts', body: 'Battery low, Gateway offline', tag: 'alerts' }]);
  shown[0]?.onClick();
  expect(opened).toEqual(['/alerts']);
});

test('does not notify about alerts in a snapshot', () => {
  const { store, shown, pass, waits } = start();
  takeSnapshot(store, { station: { ...station(HERE), revision: 50, alerts: [alert('1')] }, clockSkewMs: 0 });
  pass();
  expect([shown, waits()]).toEqual([[], 0]);
});

test('when an alert is resolved, closes its notification, or does not show a pending one', () => {
  const { shown, handle, raise, pass } = start();
  raise(alert('1'));
  pass();
  raise(alert('2'));
  handle({ type: 'alert.ended', alert: alert('1') }, { type: 'alert.ended', alert: alert('2') });
  pass();
  expect(shown).toMatchObject([{ tag: 'alert 1', closed: true }]);
});

test('shows nothing while turned off or after being stopped', () => {
  let isOn = false;
  const { shown, raise, pass, stop, waits } = start(() => isOn);
  raise(alert('1'));
  isOn = true;
  pass();
  raise(alert('2'));
  stop();
  pass();
  raise(alert('3'));
  expect([shown, waits()]).toEqual([[], 0]);
});

test('notifies only when turned on and allowed by the browser, and remembers the choice', async () => {
  const kept = new Map<string, string>();
  const storage = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string | null) => void (value === null ? kept.delete(key) : kept.set(key, value)),
  };
  const permit = {
    permission: 'default' as NotificationPermission,
    requestPermission: () => Promise.resolve(permit.permission),
  };
  const choice = createNotifyChoice(storage, () => permit);
  let heard = 0;
  choice.subscribe(() => (heard += 1));
  expect([await choice.turnOn(), choice.isOn()]).toEqual(['denied', false]);
  permit.permission = 'granted';
  expect([await choice.turnOn(), choice.isOn(), heard]).toEqual(['on', true, 1]);
  expect(createNotifyChoice(storage, () => permit).isOn()).toBe(true);
  permit.permission = 'denied';
  expect(choice.isOn()).toBe(false);
  choice.turnOff();
  permit.permission = 'granted';
  expect(choice.isOn()).toBe(false);
  expect(await createNotifyChoice(storage, () => undefined).turnOn()).toBe('missing');
});
