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

export type InputTimes = {
  /** Returns when the touch or key that is being handled began: the first contact of a finger, or the key press. */
  ownTime(): number;
  /** Runs `act` as part of an input that began at this time. */
  runAt(at: number, act: () => void): void;
  stop(): void;
};

/** Observes touches and keys of a window, because handlers of buttons do not learn when the person acted. */
export function observeInputs(window: Window): InputTimes {
  /** When each pointer that is down, or was released last, touched the page. */
  const downs = new Map<number, number>();
  let began: number | undefined;
  let given: number | undefined;
  const timeOf = (event: Event): number => timeOfEvent(event, window);

  function down(event: PointerEvent): void {
    began = timeOf(event);
    downs.set(event.pointerId, began);
  }

  /** A click ends the touch of its pointer. Other clicks, such as those of a screen reader, have no beginning. */
  function click(event: MouseEvent): void {
    const id = 'pointerId' in event ? Number(event.pointerId) : -1;
    began = downs.get(id) ?? timeOf(event);
    downs.delete(id);
  }

  function key(event: KeyboardEvent): void {
    if (!event.repeat) began = timeOf(event);
  }

  const options = { capture: true };
  window.addEventListener('pointerdown', down, options);
  window.addEventListener('click', click, options);
  window.addEventListener('keydown', key, options);
  return {
    ownTime: () => given ?? began ?? window.performance.now(),
    runAt(at, act) {
      const before = given;
      given = at;
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
