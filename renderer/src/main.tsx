import { createRoot } from 'react-dom/client';
import { VERSION } from '#shared/api/version.ts';
import { findPage } from '#shared/lib/station/pageRoutes.ts';
import { App } from './app/App.tsx';
import { Board } from './app/Board.tsx';
import { createCanvasBoxes } from './shop/screen/canvasBoxes.ts';
import { createLiveWindow } from './station/live/liveWindow.ts';
import { sendAnyway, sendAction } from './station/outbox/sendAction.ts';
import { findRemedy } from './station/outbox/remedy.ts';
import { startOutbox } from './station/outbox/startOutbox.ts';
import { createErrorReports } from './station/pageErrors.ts';
import { createQueries } from './station/queries.ts';
import { createTicker } from './station/ticker.ts';
import './kit/base.css';
import './kit/fonts.css';
import { browserStorage } from './storage.ts';
import { createThemeChoice } from './shop/theme.ts';
import './kit/tokens.css';

const TICK_MS = 250;

const live = createLiveWindow(window, VERSION);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
const context = {
  store: live.store,
  api: live.api,
  session: live.session,
  ticker: createTicker(TICK_MS, (run) => void window.requestAnimationFrame(run)),
  boxes: createCanvasBoxes(window),
  queries: createQueries(live.store),
  outbox: startOutbox({
    store: live.store,
    storage: browserStorage(),
    now: Date.now,
    setTimer(delayMs, run) {
      const timer = window.setTimeout(run, delayMs);
      return () => window.clearTimeout(timer);
    },
    send: (_person, action) => sendAction(live.api, action, live.store.getState().clockSkewMs),
    sendAnyway: (action, reason) =>
      sendAnyway(live.api, action, { reason, now: Date.now(), skewMs: live.store.getState().clockSkewMs }),
    findRemedy: (action) => findRemedy(live.api, action),
  }),
};
const theme = createThemeChoice({ root: document.documentElement, storage: browserStorage() });
const report = createErrorReports(live.api, () => window.location.pathname);
window.addEventListener('error', ({ error, message }) => report(error ?? message));
window.addEventListener('unhandledrejection', ({ reason }) => report(reason));
window.addEventListener('vite:preloadError', ({ payload }) => report(payload));
const onCaughtError = (error: unknown): void => {
  // oxlint-disable-next-line no-console -- React logs errors by default, but not with this option
  console.error(error);
  report(error);
};
const isBoard = findPage(window.location.pathname) === 'board';
createRoot(root, { onCaughtError }).render(isBoard ? <Board /> : <App context={context} theme={theme} />);
if (!isBoard) live.start();
