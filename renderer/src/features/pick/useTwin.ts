import { useEffect, useState } from 'react';
import { newKey } from '../../station/outbox/actions.ts';

type Call = { tab: string; order: string; what: 'here' | 'hello' | 'gone' };

/** Whether another tab of this browser shows the same order. */
export function useTwin(orderNumber: string): boolean {
  const [hasTwin, setHasTwin] = useState(false);
  useEffect(() => {
    if (!('BroadcastChannel' in window)) return undefined;
    const channel = new BroadcastChannel('pickstation.pick');
    const tab = newKey();
    const twins = new Set<string>();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    const post = (what: Call['what']) => channel.postMessage({ tab, order: orderNumber, what } satisfies Call);
    channel.addEventListener('message', ({ data }: MessageEvent<Call>) => {
      if (data.order !== orderNumber) return;
      if (data.what === 'gone') twins.delete(data.tab);
      else twins.add(data.tab);
      setHasTwin(twins.size > 0);
      if (data.what === 'hello') post('here');
    });
    // React runs no cleanup when a tab is closed or reloaded.
    const leave = () => post('gone');
    const comeBack = ({ persisted }: PageTransitionEvent) => void (persisted && post('hello'));
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    post('hello');
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
      leave();
      channel.close();
    };
  }, [orderNumber]);
  return hasTwin;
}
