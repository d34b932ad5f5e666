import { useEffect, useState } from 'react';

type Call = { order: string; what: 'here' | 'hello' | 'gone' };

/** Whether another tab of this browser shows the same order. */
export function useTwin(orderNumber: string): boolean {
  const [hasTwin, setHasTwin] = useState(false);
  useEffect(() => {
    if (!('BroadcastChannel' in window)) return undefined;
    const channel = new BroadcastChannel('pickstation.pick');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    const post = (what: Call['what']) => channel.postMessage({ order: orderNumber, what } satisfies Call);
    channel.addEventListener('message', ({ data }: MessageEvent<Call>) => {
      if (data.order !== orderNumber) return;
      setHasTwin(data.what !== 'gone');
      if (data.what === 'hello') post('here');
    });
    post('hello');
    return () => {
      post('gone');
      channel.close();
    };
  }, [orderNumber]);
  return hasTwin;
}
