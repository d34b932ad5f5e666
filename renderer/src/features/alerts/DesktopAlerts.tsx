import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useStationContext } from '../../station/context.ts';
import { notifyChoice } from '../../shop/notifyChoice.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { type Shown, startDesktopAlerts } from './desktopAlerts.ts';

/** Shows alerts as desktop notifications, if notifications are turned on in this browser. */
export function DesktopAlerts() {
  const { store } = useStationContext();
  const [, navigate] = useLocation();
  const go = useLatest(navigate);
  useEffect(
    () =>
      startDesktopAlerts({
        store,
        isOn: notifyChoice.isOn,
        show: showNotification,
        setTimer(run, delayMs) {
          const timer = window.setTimeout(run, delayMs);
          return () => window.clearTimeout(timer);
        },
        go: (path) => go.current(path),
      }),
    [store, go],
  );
  return null;
}

type Shell = { showWindow?(): void };

function showNotification(notice: Parameters<Parameters<typeof startDesktopAlerts>[0]['show']>[0]): Shown | undefined {
  const { title, body, tag, onClick } = notice;
  try {
    const notification = new Notification(title, { body, tag });
    notification.addEventListener('click', () => {
      notification.close();
      // The desktop window may be hidden, and only its shell can show it.
      const { pickstation: shell }: { pickstation?: Shell } = window as object;
      shell?.showWindow?.();
      window.focus();
      onClick();
    });
    return notification;
  } catch {
    // On phones, only service workers can show notifications.
    return undefined;
  }
}
