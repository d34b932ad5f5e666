import { useEffect, useState } from 'react';
import { VERSION } from '#shared/api/version.ts';
import { createCall } from '../../station/calls/call.ts';
import { createRawStreamPort } from '../../station/live/stream.ts';
import { setShopZone } from '../../words/shopClock.ts';
import { BoardFeed, type BoardState } from './boardFeed.ts';

/**
 * Storage key for the station version after which this page was reloaded, so that each version causes only one reload.
 */
const RELOADED = 'pickstation.board.version';

/**
 * Follows the station, and authenticates with a screen's secret. Sends no cookies, so that opening the link does not
 * end a person's session in this browser.
 */
export function useBoard(secret: string): BoardState {
  const [state, setState] = useState<BoardState>({ kind: 'connecting' });
  useEffect(() => {
    const fetchWith =
      (key: string): typeof fetch =>
      (input, init) => {
        const headers = new Headers(init?.headers);
        if (key !== '') headers.set('api-key', key);
        return window.fetch(input, { ...init, headers, credentials: 'omit' });
      };
    const nothing = () => undefined;
    const callWith = (key: string) =>
      createCall({ fetch: fetchWith(key), csrfToken: () => '', onSignedOut: nothing, onOtherSession: nothing });
    const feed = new BoardFeed({
      openSession: async () => (await callWith('')('openScreen', { body: { secret } })).apikey,
      openStream: (key, listener) => createRawStreamPort(fetchWith(key))(undefined, listener),
      load: (key) => callWith(key)('getWallBoard'),
      changed(next) {
        if (next.kind === 'live') {
          setShopZone(next.board.time_zone);
          reloadAfterUpdate(next.board.version);
        }
        setState(next);
      },
      now: () => Date.now(),
      setTimer(delayMs, run) {
        const timer = window.setTimeout(run, delayMs);
        return () => window.clearTimeout(timer);
      },
      fraction: () => Math.random(),
    });
    const look = () => feed.look();
    window.addEventListener('online', look);
    document.addEventListener('visibilitychange', look);
    feed.start();
    return () => {
      window.removeEventListener('online', look);
      document.removeEventListener('visibilitychange', look);
      feed.stop();
    };
  }, [secret]);
  return state;
}

/**
 * Reloads the page if the station has a new version, because nobody touches a screen on a wall. Does so only once per
 * version.
 */
function reloadAfterUpdate(version: string): void {
  try {
    if (version === VERSION || sessionStorage.getItem(RELOADED) === version) return;
    sessionStorage.setItem(RELOADED, version);
  } catch {
    // Do not reload: without storage, the page could do so endlessly.
    return;
  }
  window.location.reload();
}
