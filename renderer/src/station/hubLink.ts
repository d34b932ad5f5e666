import type { HubMessage } from './hubMessages.ts';
import type { SharedStreamPorts } from './sharedStream.ts';

/** The way to the SharedWorker, where this browser has such and lets us have one. */
export const linkToWorker: SharedStreamPorts['link'] = ({ heard, broken }) => {
  if (typeof SharedWorker === 'undefined') return undefined;
  try {
    const worker = new SharedWorker(new URL('./streamWorker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('error', broken);
    const { port } = worker;
    port.addEventListener('message', ({ data }: MessageEvent<HubMessage>) => heard(data));
    port.start();
    return { post: (message) => port.postMessage(message), close: () => port.close() };
  } catch {
    // Such as a private window, or a browser that may not store anything.
    return undefined;
  }
};
