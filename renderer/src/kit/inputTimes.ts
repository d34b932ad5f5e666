/**
 * Returns when an event happened, in milliseconds of `performance.now`. A busy page handles events late, so this can be long ago. Events that
 * carry no time, a time since 1970 or a future time count as happening now.
 */
export function timeOfEvent(
  { timeStamp }: Pick<Event, 'timeStamp'>,
  { performance }: Pick<Window, 'performance'>,
): number {
  const now = performance.now();
  const at = timeStamp > EPOCH_MS ? timeStamp - performance.timeOrigin : timeStamp;
  return at > 0 && at < now ? at : now;
}

/** Smallest time stamp that counts from 1970. No page stays open for 30 years. */
const EPOCH_MS = 1e12;

export type OwnInput = {
  /** When the person made the input: the first contact of a finger, or the key press. In milliseconds of `performance.now`. */
  madeAt: number;
  via: 'touch' | 'enter' | 'space';
};

export type InputTimes = {
  /** Returns the touch or key that is being handled. */
  ownInput(): OwnInput;
  /** Returns how many milliseconds passed between the last two times that Enter or Space was pressed. */
  pauseMs(): number;
  /** Runs `act` as part of this input. */
  runAt(input: OwnInput, act: () => void): void;
  stop(): void;
};

/** Observes touches and keys of a window, because handlers of buttons do not learn when the person acted. */
export function observeInputs(window: Window): InputTimes {
  /** When each pointer that is down, or was released last, touched the page. */
  const downs = new Map<number, number>();
  let last: OwnInput | undefined;
  let given: OwnInput | undefined;
  let [pressedAt, pause] = [-Infinity, Infinity];
  const timeOf = (event: Event): number => timeOfEvent(event, window);

  function down(event: PointerEvent): void {
    last = { madeAt: timeOf(event), via: 'touch' };
    downs.set(event.pointerId, last.madeAt);
  }

  /** A click ends the touch of its pointer. Other clicks, such as those of a screen reader, have no beginning. */
  function click(event: MouseEvent): void {
    const id = 'pointerId' in event ? Number(event.pointerId) : -1;
    last = { madeAt: downs.get(id) ?? timeOf(event), via: 'touch' };
    downs.delete(id);
  }

  function key(event: KeyboardEvent): void {
    const via = event.key === 'Enter' ? 'enter' : event.key === ' ' ? 'space' : undefined;
    if (event.repeat) return;
    last = { madeAt: timeOf(event), via: via ?? 'touch' };
    if (via === undefined) return;
    pause = last.madeAt - pressedAt;
    pressedAt = last.madeAt;
  }

  const options = { capture: true };
  window.addEventListener('pointerdown', down, options);
  window.addEventListener('click', click, options);
  window.addEventListener('keydown', key, options);
  return {
    ownInput: () => given ?? last ?? { madeAt: window.performance.now(), via: 'touch' },
    pauseMs: () => pause,
    runAt(input, act) {
      const before = given;
      given = input;
      try {
        act();
      } finally {
        given = before;
      }
    },
    stop() {
      window.removeEventListener('pointerdown', down, options);
      window.removeEventListener('click', click, options);
      window.removeEventListener('keydown', key, options);
    },
  };
}

let observed: InputTimes | undefined;

/** Returns the input times of this window, which are observed from the first call on. */
export function inputTimes(): InputTimes {
  observed ??= observeInputs(window);
  return observed;
}
