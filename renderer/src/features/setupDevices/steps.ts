import type { Cell } from '#shared/api/map.ts';

/** The label and the map cell of a device. The label may be empty. */
export type Position = { deviceid: string; label: string; cell: Cell | undefined };

/** A device that is selected or queued, and gets its place next. */
export type Picked = {
  deviceid: string;
  /** When the device was pressed or chosen, in milliseconds of this machine's clock. */
  at: number;
  /** The device's position when it was selected, or undefined if the station had not accepted the device yet. */
  before: Position | undefined;
  /** The place in the last request, even if no response has arrived. */
  tried: string;
  /** Whether that request was to rename the place of the device. */
  isRenamed: boolean;
};

/** A device that has got its place. */
export type Done = {
  place: string;
  before: Position;
  /** The devices that lost this place, with their previous positions. */
  others: readonly Position[];
  /** Whether the place of the device was renamed. */
  isRenamed: boolean;
  at: number;
  tookMs: number;
};

export type Steps = {
  current: Picked | undefined;
  /** Devices that were pressed while another device was selected, starting with the next one. */
  queue: readonly Picked[];
  /** Finished devices, newest last. */
  done: readonly Done[];
};

export type SetupStep =
  | { type: 'pressed' | 'chosen'; device: Picked }
  | { type: 'tried'; place: string; isRenamed: boolean }
  | { type: 'placed'; device: Picked; place: string; others: readonly Position[]; isRenamed: boolean; at: number }
  | { type: 'passed' }
  | { type: 'undone'; which: Done; at: number }
  | { type: 'forgotten'; which: Done }
  | { type: 'dropped'; deviceids: ReadonlySet<string> };

export const NOTHING_DONE: Steps = { current: undefined, queue: [], done: [] };

/** Returns the steps after an event. One device is set up at a time; more devices wait in the queue. */
export function nextSteps(steps: Steps, step: SetupStep): Steps {
  const { current, queue, done } = steps;
  switch (step.type) {
    case 'pressed':
      if ([current, ...queue].some((each) => each?.deviceid === step.device.deviceid)) return steps;
      return current === undefined ? { ...steps, current: step.device } : { ...steps, queue: [...queue, step.device] };
    case 'chosen':
      if (current?.deviceid === step.device.deviceid) return steps;
      return { ...steps, current: step.device, queue: without(inFront(current, queue), step.device.deviceid) };
    case 'tried':
      if (current === undefined) return steps;
      return { ...steps, current: { ...current, tried: step.place, isRenamed: step.isRenamed } };
    case 'placed': {
      const { device, place, others, isRenamed, at } = step;
      const before = device.before ?? { deviceid: device.deviceid, label: '', cell: undefined };
      const tookMs = Math.max(0, at - (done.at(-1)?.at ?? device.at));
      // The person may have switched to another device while the place was being saved.
      const isCurrent = current?.deviceid === device.deviceid;
      const rest = isCurrent ? advance(steps, at) : { ...steps, queue: without(queue, device.deviceid) };
      return { ...rest, done: [...done, { place, before, others, isRenamed, at, tookMs }] };
    }
    case 'passed':
      return advance(steps, current?.at ?? 0);
    case 'undone': {
      const { before, place } = step.which;
      // Until the station confirms that the label was restored, the device still has the new one.
      const again = { deviceid: before.deviceid, at: step.at, before, tried: place, isRenamed: false };
      const rest = without(inFront(current, queue), before.deviceid);
      return { current: again, queue: rest, done: done.filter((each) => each !== step.which) };
    }
    case 'forgotten':
      return { ...steps, done: done.filter((each) => each !== step.which) };
    case 'dropped': {
      const isKept = ({ deviceid }: Picked) => !step.deviceids.has(deviceid);
      const kept = { ...steps, queue: queue.filter(isKept) };
      if (kept.queue.length === queue.length && (current === undefined || isKept(current))) return steps;
      return current === undefined || isKept(current) ? kept : advance(kept, current.at);
    }
  }
}

/** Selects the next waiting device. */
function advance(steps: Steps, at: number): Steps {
  const [first, ...queue] = steps.queue;
  return { ...steps, current: first === undefined ? undefined : { ...first, at: Math.max(first.at, at) }, queue };
}

function inFront(current: Picked | undefined, queue: readonly Picked[]): readonly Picked[] {
  return current === undefined ? queue : [current, ...queue];
}

function without(queue: readonly Picked[], deviceid: string): readonly Picked[] {
  return queue.filter((each) => each.deviceid !== deviceid);
}

/** Returns the median seconds per device, or undefined if no device was set up. A break hardly affects the median. */
export function secondsEach(done: readonly Done[]): number | undefined {
  const times = done.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  const [low, high] = [times[Math.floor((times.length - 1) / 2)], times[Math.floor(times.length / 2)]];
  return low === undefined || high === undefined ? undefined : Math.round((low + high) / 2 / 100) / 10;
}
