import { createRoot } from 'react-dom/client';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { App } from './App.tsx';
import { createCanvasBoxes } from './screen/canvasBoxes.ts';
import { createApi } from './station/api.ts';
import { Live } from './station/live.ts';
import { createSession } from './station/session.ts';
import { createStationStore } from './station/store.ts';
import { createStreamPort } from './station/stream.ts';
import { createTicker } from './station/ticker.ts';

const TICK_MS = 250;

const store = createStationStore();
const fetchHere: typeof fetch = (input, init) => window.fetch(input, init);

function signedOut(): void {
  live.stop();
  store.setState({ session: 'signedOut' });
}

const api = createApi({
  fetch: fetchHere,
  cookies: () => document.cookie,
  now: () => Date.now(),
  onSignedOut: signedOut,
});

const live = new Live(
  {
    openStream: createStreamPort(fetchHere),
    loadStation: api.loadStation,
    now: () => Date.now(),
    setTimer(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    fraction: () => Math.random(),
    onSignedOut: signedOut,
  },
  store,
);

window.addEventListener('online', () => live.retryNow());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') live.retryNow();
});

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
const context = {
  store,
  api,
  session: createSession(api, live, store),
  ticker: createTicker(TICK_MS),
  boxes: createCanvasBoxes(window),
};
createRoot(root).render(<App context={context} />);
live.start();
