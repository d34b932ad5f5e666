import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Fact } from '#shared/api/station.ts';
import { inputTimes } from '../../../kit/inputTimes.ts';
import { useAnswerSounds } from '../../../sound/answerSounds.ts';
import type { Remembered } from '../../../remembered.ts';
import { browserStorage } from '../../../storage.ts';
import { useStationContext, useStationState } from '../../../station/context.ts';
import { newKey } from '../../../station/outbox/actions.ts';
import type { SentAction } from '../../../station/outbox/outbox.ts';
import { useOutbox } from '../../../station/outbox/useOutbox.ts';
import { useTimed } from '../../../station/time.ts';
import { useGuardedButtons } from '../useGuardedButtons.ts';
import {
  ASKED_MS,
  claimOf,
  hearPresses,
  isAsked,
  keepPresses,
  type PressAnswer,
  type PressNotice,
  readPresses,
  returnOf,
} from './pressNotices.ts';

/** The notices of one person. They are stored in this browser, so that they outlive a reload, a pause and a sign-out. */
export type KeptPresses = {
  list(): readonly PressNotice[];
  subscribe(changed: () => void): () => void;
  /** Applies facts. Returns whether a red notice was added. */
  hear(facts: readonly Fact[]): boolean;
  /** Removes a notice that was answered. If the station refuses the action with the key `by`, it comes back and says why. */
  answered(key: string, by: string | undefined): void;
  /** Handles the result of an action. Returns whether it was a refused answer to a notice. */
  sent(sent: SentAction): boolean;
  /** Makes all notices quiet, because their red has been noticed. */
  calm(): void;
  /** Reads the notices again, because another tab has changed them. */
  lookAgain(): void;
};

export function createPresses(storage: Remembered, me: string, stationNow: () => number): KeptPresses {
  let notices = readPresses(storage, me, stationNow());
  const watchers = new Set<() => void>();
  const answers = new Map<string, PressNotice>();
  /** When notices were answered here, by key. A tab that was frozen meanwhile can store them again. */
  const answeredAt = new Map<string, number>();

  function set(after: readonly PressNotice[]): void {
    if (after === notices) return;
    notices = after;
    keepPresses(storage, me, after);
    for (const changed of watchers) changed();
  }

  return {
    list: () => notices,
    subscribe(changed) {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
    hear(facts) {
      const before = new Set(notices.map(({ key }) => key));
      set(hearPresses(notices, facts, me, stationNow()));
      return notices.some((notice) => !before.has(notice.key) && !notice.isQuiet && isAsked(notice, stationNow()));
    },
    answered(key, by) {
      const notice = notices.find((each) => each.key === key);
      if (notice === undefined) return;
      if (by !== undefined) answers.set(by, notice);
      answeredAt.set(key, stationNow());
      set(notices.filter((each) => each !== notice));
    },
    sent({ action, outcome, failure }) {
      const notice = answers.get(action.key);
      if (notice === undefined) return false;
      answers.delete(action.key);
      if (outcome !== 'refused') return false;
      answeredAt.delete(notice.key);
      set([...notices, { ...notice, refused: failure?.message ?? '', refusedAt: stationNow() }]);
      return true;
    },
    calm() {
      if (notices.some(({ isQuiet }) => !isQuiet)) set(notices.map((notice) => ({ ...notice, isQuiet: true })));
    },
    lookAgain() {
      const stored = readPresses(storage, me, stationNow());
      const isAnswered = ({ key }: PressNotice): boolean =>
        stationNow() < (answeredAt.get(key) ?? -Infinity) + ASKED_MS;
      const now = stored.filter((notice) => !isAnswered(notice));
      if (now.length < stored.length) keepPresses(storage, me, now);
      if (JSON.stringify(now) !== JSON.stringify(notices)) set(now);
    },
  };
}

const NOBODY: KeptPresses = {
  list: () => NONE,
  subscribe: () => () => undefined,
  hear: () => false,
  answered: () => undefined,
  sent: () => false,
  calm: () => undefined,
  lookAgain: () => undefined,
};
const NONE: readonly PressNotice[] = [];

/** The notices of the person who picks. */
export const PressesContext = createContext<KeptPresses>(NOBODY);

/** Returns the station's time in epoch milliseconds. */
const stationNow = ({ clockSkewMs }: { clockSkewMs: number }): number => Date.now() - clockSkewMs;

/** Keeps the notices of the signed-in person while Pick is open, and plays the sound of new ones. */
export function usePressesOf(): KeptPresses {
  const { store } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const sounds = useAnswerSounds();
  const outbox = useOutbox();
  const presses = useMemo(() => createPresses(browserStorage(), me, () => stationNow(store.getState())), [me, store]);
  useEffect(
    () =>
      store.subscribe(({ told }, before) => {
        if (told === before.told) return;
        if (presses.hear(told.filter((fact) => fact.type !== 'deliveries'))) sounds.wrong();
      }),
    [store, presses, sounds],
  );
  useEffect(
    () => outbox?.listen((sent) => void (presses.sent(sent) && outbox.forget(sent.action.key))),
    [outbox, presses],
  );
  useEffect(() => {
    window.addEventListener('storage', presses.lookAgain);
    return () => window.removeEventListener('storage', presses.lookAgain);
  }, [presses]);
  return presses;
}

/**
 * Answers notices directly, on a page that shows no order and no cart. A touch that was made before the notices were painted, or so soon that it
 * may have been meant for something else, answers nothing.
 */
export function useAnswerPress(shown: readonly PressNotice[]) {
  const presses = useContext(PressesContext);
  const outbox = useOutbox();
  const { isRefused, isSeen, refuse } = useGuardedButtons(
    shown.map(({ key, refused = '' }) => key + refused).join('\n'),
  );
  const answer = (notice: PressNotice, how: PressAnswer): void => {
    const action = how === 'read' ? undefined : (how === 'mine' ? claimOf : returnOf)(notice, newKey());
    presses.answered(notice.key, action?.key);
    if (action !== undefined) outbox?.add(action);
  };
  return {
    isRefused,
    touch: (notice: PressNotice, how: PressAnswer): void =>
      isSeen(inputTimes().ownInput().madeAt) ? answer(notice, how) : refuse(),
    /** Answers by a printed command that was scanned at the time `at`. */
    scan(notice: PressNotice, how: PressAnswer, at = performance.now()): void {
      if (isSeen(at, 0)) answer(notice, how);
      else refuse();
    },
  };
}

/** Returns the notices to show now, and all that nobody has answered. */
export function usePresses() {
  const presses = useContext(PressesContext);
  const all = useSyncExternalStore(presses.subscribe, presses.list);
  const asked = useTimed((now) => all.flatMap((notice) => (isAsked(notice, now) ? [notice.key] : [])).join('\n'));
  const shown = useMemo(() => {
    const keys = new Set(asked.split('\n'));
    return all.filter(({ key }) => keys.has(key));
  }, [all, asked]);
  return { presses, shown, all };
}
