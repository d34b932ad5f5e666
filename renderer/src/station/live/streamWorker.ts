import type { TabMessage } from './hubMessages.ts';
import { StreamHub } from './streamHub.ts';
import { createRawStreamPort } from './stream.ts';

/** The browser's only connection to the station, in a SharedWorker that lives as long as any tab. */
const hub = new StreamHub({
  openStream: createRawStreamPort((input, init) => fetch(input, init)),
  now: () => Date.now(),
  setTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  soon: (run) => queueMicrotask(run),
});

addEventListener('connect', (event) => {
  const port = event instanceof MessageEvent ? event.ports[0] : undefined;
  if (port === undefined) return;
  const onMessage = hub.join((message) => port.postMessage(message));
  port.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => onMessage(data));
  port.start();
});
