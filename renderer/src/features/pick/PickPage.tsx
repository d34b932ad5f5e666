import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useRouteId } from '../../station/addresses.ts';
import { ChooseOrder } from './ChooseOrder.tsx';
import { PickOrder } from './PickOrder.tsx';
import { useConfirmations } from './useConfirmations.ts';

/** What do I do next? For a bench monitor, a tablet on a cart or a phone: one instruction at a time. */
export function PickPage() {
  const orderNumber = useRouteId();
  const [, navigate] = useLocation();
  const open = (number: string | undefined) =>
    navigate(number === undefined ? '/pick' : `/pick/${encodeURIComponent(number)}`);
  const kept = useConfirmations();
  useAwake();
  return orderNumber === undefined ? (
    <ChooseOrder open={open} kept={kept} />
  ) : (
    <PickOrder key={orderNumber} orderNumber={orderNumber} open={open} kept={kept} />
  );
}

/** Keeps the screen on where the browser lets a page do so. */
function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const hold = () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      navigator.wakeLock.request('screen').then(
        (held) => (lock = held),
        () => undefined,
      );
    };
    hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      document.removeEventListener('visibilitychange', hold);
      void lock?.release();
    };
  }, []);
}
