import type { Api } from './api.ts';
import type { Live } from './live.ts';
import { forgetStation, type StationStore } from './store.ts';

/** Who sits before the window. */
export type WindowSession = {
  signIn(username: string, password: string): Promise<void>;
  /** Somebody signed in in another tab of this browser. */
  follow(): void;
  /** Ends the session and forgets the station. */
  signOut(): Promise<void>;
};

/** Signing in begins the live copy of the station; signing out ends it. */
export function createSession(
  api: Pick<Api, 'signIn' | 'signOut'>,
  live: Live,
  store: StationStore,
  /** The cookie is the browser's: what happens in one tab happens in all. */
  tabs: { signedIn(): void; signedOut(): void },
): WindowSession {
  function begin(): void {
    store.setState({ session: 'unknown', connection: { kind: 'connecting' } });
    live.start();
  }

  return {
    async signIn(username, password) {
      await api.signIn(username, password);
      begin();
      tabs.signedIn();
    },
    follow() {
      if (store.getState().session === 'signedOut') begin();
    },
    async signOut() {
      await api.signOut();
      live.stop();
      tabs.signedOut();
      forgetStation(store);
    },
  };
}
