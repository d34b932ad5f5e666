import type { Alert } from '#shared/api/alert.ts';
import { alertWords } from '../../shop/device/deviceWords.ts';
import type { StationStore } from '../../station/live/store.ts';
import * as texts from '../../words/texts.ts';
import { subjectName } from '../../shop/alertSubject.ts';

/** Alerts that are raised within this many milliseconds are announced together. */
const GATHER_MS = 500;
/** Above this number, alerts that are announced together share one notification. */
const MAX_AT_ONCE = 3;

/** A notification that is on the screen. */
export type Shown = { close(): void };

type Parts = {
  store: StationStore;
  isOn: () => boolean;
  /** Shows a notification. It replaces a notification with the same `tag`, even one from another tab. */
  show(notice: { title: string; body: string; tag: string; onClick(): void }): Shown | undefined;
  setTimer(run: () => void, delayMs: number): () => void;
  /** Opens a page by its path. */
  go(path: string): void;
};

/**
 * Shows notifications for newly raised alerts, but not for alerts in a snapshot of the station's state. Returns a function that stops the
 * notifications.
 */
export function startDesktopAlerts({ store, isOn, show, setTimer, go }: Parts): () => void {
  const pending = new Map<string, Alert>();
  const shown = new Map<string, Shown>();
  let cancel: (() => void) | undefined;

  function notify(): void {
    cancel = undefined;
    const alerts = [...pending.values()];
    pending.clear();
    if (!isOn() || alerts.length === 0) return;
    if (alerts.length > MAX_AT_ONCE) {
      const words = new Set(alerts.map((alert) => texts.alerts.kinds[alert.kind]));
      const notice = { title: texts.pages.alerts.unseen(alerts.length), body: [...words].join(', '), tag: 'alerts' };
      show({ ...notice, onClick: () => go('/alerts') });
      return;
    }
    for (const alert of alerts) notifyOne(alert);
  }

  function notifyOne(alert: Alert): void {
    const one = show({
      title: `${alertWords(alert)}: ${subjectName(store.getState().station, alert)}`,
      body: alert.problem ?? texts.alerts.todo[alert.kind],
      tag: `alert ${alert.id}`,
      onClick: () => go(`/alerts?alert=${alert.id}`),
    });
    if (one !== undefined) shown.set(alert.id, one);
  }

  function resolved(id: string): void {
    pending.delete(id);
    shown.get(id)?.close();
    shown.delete(id);
  }

  const unsubscribe = store.subscribe(({ told }, before) => {
    if (told === before.told) return;
    for (const news of told) {
      if (news.type === 'alert.ended') resolved(news.alert.id);
      if (news.type === 'alert.raised' && isOn()) pending.set(news.alert.id, news.alert);
    }
    if (pending.size > 0) cancel ??= setTimer(notify, GATHER_MS);
  });
  return () => {
    unsubscribe();
    cancel?.();
  };
}
