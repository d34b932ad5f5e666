import { type Api, createApi } from '../calls/api.ts';
import type { HubMessage } from './hubMessages.ts';
import { Live } from './live.ts';
import { createSession, type WindowSession } from '../session.ts';
import { createSharedStream, type SharedStreamPorts } from './sharedStream.ts';
import { createStationStore, forgetStation, type StationStore } from './store.ts';
import { createRawStreamPort, decoded } from './stream.ts';

/** First delay between retries in milliseconds. The delay doubles after each failure. */
const FIRST_KIOSK_RETRY_MS = 2_000;
const LONGEST_KIOSK_RETRY_MS = 60_000;

/** Creates the live connection of a window. Call `start` to begin. */
export function createLiveWindow(
  window: Window & typeof globalThis,
  version: string,
): { store: StationStore; api: Api; session: WindowSession; start(): void } {
  const { document } = window;
  const store = createStationStore({ kiosk: undefined }, (run) => void window.requestAnimationFrame(run));
  const fetchHere: typeof fetch = (input, init) => window.fetch(input, init);
  const setTimer = (delayMs: number, run: () => void) => {
    const timer = window.setTimeout(run, delayMs);
    return () => window.clearTimeout(timer);
  };
  const isVisible = () => document.visibilityState === 'visible';

  function signedOut(): void {
    live.stop();
    // At a kiosk, another person signs in next, so forget the state.
    if (store.getState().kiosk?.kiosk === null) store.setState({ session: 'signedOut' });
    else forgetStation(store);
    lookAtKiosk();
  }

  let cancelKioskRetry = (): void => undefined;
  /** Checks whether this browser is a kiosk. Retries until the station has answered once. */
  function lookAtKiosk(retryMs = FIRST_KIOSK_RETRY_MS): void {
    cancelKioskRetry();
    session.lookAtKiosk().catch(() => {
      if (store.getState().kiosk !== undefined) return;
      cancelKioskRetry();
      cancelKioskRetry = setTimer(retryMs, () => lookAtKiosk(Math.min(retryMs * 2, LONGEST_KIOSK_RETRY_MS)));
    });
  }

  const api = createApi({
    fetch: fetchHere,
    cookies: () => document.cookie,
    now: () => Date.now(),
    onSignedOut: signedOut,
    onOtherSession: () => live.reread(),
  });
  const stream = createSharedStream({
    link: linkToWorker,
    openOwn: decoded(createRawStreamPort(fetchHere)),
    setTimer,
    onUp: () => live.retryNow(),
  });
  const live = new Live(
    {
      openStream: stream.open,
      loadStation: api.loadStation,
      loadVersion: async () => (await api.getHealth()).version,
      version,
      now: () => Date.now(),
      steady: () => performance.now(),
      setTimer,
      fraction: () => Math.random(),
      isVisible,
      onSignedOut: signedOut,
    },
    store,
  );

  window.addEventListener('online', () => live.look());
  window.addEventListener('focus', () => live.look());
  window.addEventListener('pagehide', () => stream.leave());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) stream.comeBack();
  });
  document.addEventListener('visibilitychange', () => {
    if (isVisible()) live.look();
  });

  const tabs = 'BroadcastChannel' in window ? new window.BroadcastChannel('pickstation signed in') : undefined;
  const session = createSession(api, live, store, {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin: this one
    signedIn: () => tabs?.postMessage(null),
    signedOut: stream.signOut,
  });
  tabs?.addEventListener('message', session.follow);

  return {
    store,
    api,
    session,
    start() {
      lookAtKiosk();
      live.start();
    },
  };
}

/** Connects to the SharedWorker. Returns undefined if this browser does not support or allow it. */
const linkToWorker: SharedStreamPorts['link'] = ({ onMessage, broken }) => {
  if (typeof SharedWorker === 'undefined') return undefined;
  try {
    const worker = new SharedWorker(new URL('./streamWorker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('error', broken);
    const { port } = worker;
    port.addEventListener('message', ({ data }: MessageEvent<HubMessage>) => onMessage(data));
    port.start();
    return { post: (message) => port.postMessage(message), close: () => port.close() };
  } catch {
    // The browser does not allow shared workers, for example in a private window or if storage is blocked.
    return undefined;
  }
};
