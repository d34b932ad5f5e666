import type { Api } from './api.ts';
import type { Live } from './live.ts';
import { forgetStation, type StationStore } from './store.ts';

/** Who sits before the window. */
export type Session = {
  signIn(username: string, password: string): Promise<void>;
  /** Ends the session and forgets the station. */
  signOut(): Promise<void>;
};

/** Signing in begins the live copy of the station; signing out ends it. */
export function createSession(
  api: Pick<Api, 'signIn' | 'signOut'>,
  live: Live,
  store: StationStore,
  /** Tells the other tabs that the session is over. */
  tellOthers: () => void,
): Session {
  return {
    async signIn(username, password) {
      await api.signIn(username, password);
      store.setState({ session: 'unknown', connection: { kind: 'connecting' } });
      live.start();
    },
    async signOut() {
      await api.signOut();
      live.stop();
      tellOthers();
      forgetStation(store);
    },
  };
}
