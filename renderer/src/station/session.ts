import type { Api } from './calls/api.ts';
import type { Live } from './live/live.ts';
import { forgetStation, type StationStore } from './live/store.ts';

/** Sign-in and sign-out of this window. */
export type WindowSession = {
  signIn(by: { username: string; password: string }): Promise<void>;
  signInWithPin(by: { username: string; pin: string }): Promise<void>;
  /** Checks whether this browser is a kiosk, and who can sign in there. */
  lookAtKiosk(): Promise<void>;
  /** Makes this browser a kiosk and signs the admin out. */
  lock(name: string): Promise<void>;
  /** Handles a sign-in in another tab of this browser. */
  follow(): void;
  /** Ends the session and clears the station's state. */
  signOut(): Promise<void>;
};

/**
 * Creates the window's sign-in. Signing in starts the connection that keeps the page's copy of the station current;
 * signing out stops it.
 */
export function createSession(
  api: Pick<Api, 'addKiosk' | 'getKioskScreen' | 'signIn' | 'signInWithPin' | 'signOut'>,
  live: Live,
  store: StationStore,
  /** Notifies other tabs, which share the cookie and therefore the session. */
  tabs: { signedIn(): void; signedOut(): void },
): WindowSession {
  function begin(): void {
    store.setState({ session: 'unknown', connection: { kind: 'connecting' } });
    live.start();
  }

  async function beginAfter(signIn: Promise<void>): Promise<void> {
    await signIn;
    begin();
    tabs.signedIn();
  }

  async function lookAtKiosk(): Promise<void> {
    store.setState({ kiosk: await api.getKioskScreen() });
  }

  async function signOut(): Promise<void> {
    await api.signOut();
    live.stop();
    tabs.signedOut();
    forgetStation(store);
  }

  return {
    signIn: (by) => beginAfter(api.signIn(by)),
    signInWithPin: (by) => beginAfter(api.signInWithPin(by)),
    lookAtKiosk,
    async lock(name) {
      await api.addKiosk({ body: { name } });
      await lookAtKiosk();
      await signOut();
    },
    follow() {
      if (store.getState().session === 'signedOut') begin();
    },
    signOut,
  };
}
