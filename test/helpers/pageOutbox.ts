import { createApi } from '../../renderer/src/station/calls/api.ts';
import { type ActionOutbox, createOutbox, type SentAction } from '../../renderer/src/station/outbox/outbox.ts';
import { findRemedy } from '../../renderer/src/station/outbox/remedy.ts';
import { sendAction, sendAnyway } from '../../renderer/src/station/outbox/sendAction.ts';
import { openSession } from './session.ts';
import type { TestStation } from './startTestStation.ts';

const PASSWORD = 'a few easy words';

export type PageOutbox = {
  outbox: ActionOutbox;
  /** How the actions ended, in order. */
  sent: SentAction[];
  /** Paths of the requests that reached the station. */
  requests: string[];
  /** Sets whether the station can be reached. Sends what waited once it can. */
  setAway(isAway: boolean): Promise<void>;
  /** Lets the station act on the next request, but loses its answer. */
  loseAnswer(): void;
};

/** Opens the outbox of the page for a picker, with its real calls to a station. */
export async function openPageOutbox(station: TestStation, person: string): Promise<PageOutbox> {
  await station.post('/api/users/', { username: person, password: PASSWORD, role: 'picker' });
  const { write } = await openSession(station, { username: person, password: PASSWORD });
  const stored = new Map<string, string>();
  const sent: SentAction[] = [];
  const requests: string[] = [];
  let isAway = false;
  let isLost = false;
  const api = createApi({
    async fetch(input, init) {
      if (isAway) throw new TypeError('no connection');
      const path = input instanceof Request ? input.url : input.toString();
      const answer = await fetch(new URL(path, station.url), {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), ...write },
      });
      requests.push(`${init?.method ?? 'GET'} ${path}`);
      if (!isLost) return answer;
      isLost = false;
      throw new TypeError('the answer was lost');
    },
    cookies: () => write.cookie,
    now: station.clock.now,
    onSignedOut: () => undefined,
    onOtherSession: () => undefined,
  });
  const outbox = createOutbox({
    storage: {
      get: (key) => stored.get(key) ?? null,
      set: (key, value) => void (value === null ? stored.delete(key) : stored.set(key, value)),
    },
    person,
    now: station.clock.now,
    send: (action) => sendAction(api, action),
    sendAnyway: (action, reason) => sendAnyway(api, action, { reason, now: station.clock.now(), skewMs: 0 }),
    findRemedy: (action) => findRemedy(api, action),
  });
  outbox.listen((each) => sent.push(each));
  return {
    outbox,
    sent,
    requests,
    async setAway(away) {
      isAway = away;
      outbox.setLost(away);
      await outbox.settled();
    },
    loseAnswer: () => void (isLost = true),
  };
}
