import { createStore, type StoreApi } from 'zustand/vanilla';
import { findDevice } from '#shared/api/reducer.ts';
import type { Device } from '#shared/api/device.ts';
import type { Station } from '#shared/api/station.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { Api } from '../../station/api.ts';
import { sentenceOf } from '../../words/apiError.ts';
import type { StationStore } from '../../station/store.ts';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { isFree, takenPlaces, type Holders } from './places.ts';
import { isIdentify, pressesIn, type DevicePress } from './presses.ts';
import { nextSteps, NOTHING_DONE, type Picked, type SetupStep, type Steps } from './steps.ts';
import { positionOf, undoPlace, writePlace } from './writePlace.ts';

export type SetupMessage = { kind: 'right' | 'wrong' | 'note'; text: string };

export type SetupState = Steps & {
  message: SetupMessage | undefined;
  /** Set if another device has the place, to ask whether to move it. */
  question: { place: string; holders: Holders } | undefined;
  isBusy: boolean;
};

export type SetupParts = {
  store: StationStore;
  api: Api;
  now(): number;
  /** The steps of an earlier visit in this tab. */
  kept: Steps | undefined;
  keep(steps: Steps): void;
};

/** Assigns places to devices, one after another. */
export type DeviceSetup = {
  state: StoreApi<SetupState>;
  /** Starts listening to presses. Returns a function that stops it. */
  start(): () => void;
  choose(deviceid: string): void;
  /** `move`: even if another device has the place. */
  take(place: string, move?: boolean): Promise<void>;
  /** Keeps the label of the current device. */
  pass(): void;
  back(): Promise<void>;
  say(message: SetupMessage | undefined): void;
  /** Dismisses the question, because the person wants another place. */
  dismissQuestion(): void;
  /** Forgets the finished devices. */
  clear(): void;
};

/** Presses this long before the page was opened count too. */
const JUST_NOW_MS = 3_000;
const NO_LABEL = { deviceid: '', label: '', cell: undefined };

export function createSetup({ store, api, now, kept, keep }: SetupParts): DeviceSetup {
  const state = createStore<SetupState>()(() => ({
    ...NOTHING_DONE,
    ...kept,
    message: undefined,
    question: undefined,
    isBusy: false,
  }));

  function step(next: SetupStep, more: Partial<SetupState> = {}): void {
    const { current, queue, done } = state.getState();
    const before: Steps = { current, queue, done };
    const after = nextSteps(before, next);
    const isOther = after.current?.deviceid !== current?.deviceid;
    state.setState({ ...after, ...(isOther ? { question: undefined } : {}), ...more });
    if (after !== before) keep(after);
    if (isOther && after.current !== undefined) flash(after.current.deviceid);
  }

  const say = (message: SetupMessage | undefined) => state.setState({ message });
  const wrong = (text: string) => say({ kind: 'wrong', text });

  function known(): Station {
    const { station } = store.getState();
    if (station === null) throw new Error('The page is drawn when the station is known.');
    return station;
  }

  function has(right: 'edit_map' | 'manage_devices'): boolean {
    return known().user.rights.includes(right);
  }

  const deviceOf = (deviceid: string): Device | undefined => findDevice(known().devices, deviceid);

  /** Flashes the device so that people see where it is, unless it shows work. */
  function flash(deviceid: string): void {
    const device = deviceOf(deviceid);
    if (device === undefined || device.commands.length > 0) return;
    api.identify(deviceid).catch((error: unknown) => {
      if (state.getState().current?.deviceid === deviceid) wrong(`${words.notFlashing(deviceid)} ${sentenceOf(error)}`);
    });
  }

  /** A label that was just saved may not be in the store yet. */
  function before(deviceid: string): Picked['before'] {
    const position = positionOf(known(), deviceid);
    const last = state.getState().done.findLast((each) => each.before.deviceid === deviceid);
    const isOld = last !== undefined && position?.label === last.before.label;
    return position === undefined || !isOld ? position : { ...position, label: last.place };
  }

  function pick(type: 'pressed' | 'chosen', deviceid: string): void {
    if (deviceOf(deviceid) === undefined && !has('manage_devices')) return wrong(words.notAccepted(deviceid));
    const { current, queue } = state.getState();
    const device: Picked = { deviceid, at: now(), before: before(deviceid), tried: '' };
    const isWaiting = type === 'pressed' && current !== undefined && current.deviceid !== deviceid;
    if (current?.deviceid === deviceid || isWaiting) flash(deviceid);
    const isNew = isWaiting && !queue.some((each) => each.deviceid === deviceid);
    step({ type, device }, isNew ? {} : { message: undefined });
  }

  function hear({ deviceid, work }: DevicePress): void {
    if (work === null) return pick('pressed', deviceid);
    say({ kind: 'note', text: words.wasWork(nameIn(known(), deviceid), workWords(work)) });
  }

  /** Whether another window has changed its label since it was selected. */
  function isSetElsewhere({ deviceid, before: { label: old } = NO_LABEL, tried }: Picked): boolean {
    const label = deviceOf(deviceid)?.locationoverride ?? '';
    return label !== '' && ![old, tried].some((each) => nameKey(each) === nameKey(label));
  }

  /** Drops devices that were removed, or set up in another window. */
  function follow(): void {
    const { current, queue, isBusy } = state.getState();
    const picked = current === undefined ? queue : [current, ...queue];
    const gone = picked.filter(
      ({ before: known, deviceid }) => known !== undefined && deviceOf(deviceid) === undefined,
    );
    const elsewhere = isBusy ? [] : picked.filter(isSetElsewhere);
    if (gone.length + elsewhere.length === 0) return;
    const isGone = current !== undefined && gone.includes(current);
    if (isGone) wrong(words.gone(current.deviceid));
    else if (current !== undefined && elsewhere.includes(current)) {
      say({ kind: 'note', text: words.setElsewhere(current.deviceid, nameIn(known(), current.deviceid)) });
    }
    step({ type: 'dropped', deviceids: new Set([...gone, ...elsewhere].map(({ deviceid }) => deviceid)) });
  }

  async function busily(run: () => Promise<void>): Promise<void> {
    if (state.getState().isBusy) return;
    state.setState({ isBusy: true });
    try {
      await run();
    } finally {
      state.setState({ isBusy: false });
      follow();
    }
  }

  async function take(typed: string, move = false): Promise<void> {
    const place = typed.trim();
    const { current } = state.getState();
    if (current === undefined) return wrong(words.pressFirst);
    if (place === '') return wrong(words.noPlace);
    const { deviceid } = current;
    const problem = problemOf(known(), place, deviceid);
    if (problem !== undefined) return wrong(problem);
    const holders = takenPlaces({ ...known(), places: store.getState().places }).of(place, deviceid);
    if (!move && !isFree(holders)) return state.setState({ question: { place, holders }, message: undefined });
    await busily(async () => {
      step({ type: 'tried', place });
      try {
        const parts = { api, station: known(), mayPlace: has('edit_map') };
        const { others, notes, warnings } = await writePlace(parts, { deviceid, place, holders });
        const text = [words.done(place, deviceid), ...notes, ...warnings].join(' ');
        const kind = notes.length > 0 ? 'wrong' : warnings.length > 0 ? 'note' : 'right';
        step(
          { type: 'placed', device: current, place, others, at: now() },
          { question: undefined, message: { kind, text } },
        );
      } catch (error) {
        wrong(`${words.notWritten(deviceid)} ${sentenceOf(error)}`);
      }
    });
  }

  async function back(): Promise<void> {
    const last = state.getState().done.at(-1);
    if (last === undefined) return;
    await busily(async () => {
      try {
        const { isUndone, notes } = await undoPlace({ api, station: known(), mayPlace: has('edit_map') }, last);
        const text = notes.length === 0 ? words.undone(last.place, last.before.deviceid) : notes.join(' ');
        const message: SetupMessage = { kind: notes.length === 0 ? 'note' : 'wrong', text };
        step(isUndone ? { type: 'undone', which: last, at: now() } : { type: 'forgotten', which: last }, { message });
      } catch (error) {
        wrong(`${words.notUndone(last.place)} ${sentenceOf(error)}`);
      }
    });
  }

  function pass(): void {
    const { current, isBusy } = state.getState();
    if (current === undefined || isBusy) return;
    const label = deviceOf(current.deviceid)?.locationoverride ?? '';
    // The station saved it, but the answer was lost.
    const isWritten =
      current.tried !== '' && nameKey(label) === nameKey(current.tried) && label !== current.before?.label;
    const at = now();
    if (isWritten) step({ type: 'placed', device: current, place: label, others: [], at }, { message: undefined });
    else step({ type: 'passed' }, { message: { kind: 'note', text: words.left(nameIn(known(), current.deviceid)) } });
  }

  function start(): () => void {
    const { station, clockSkewMs } = store.getState();
    const since = now() - clockSkewMs - JUST_NOW_MS;
    if (station !== null) follow();
    return store.subscribe((next, before) => {
      if (next.station === null) return;
      if (next.told !== before.told) {
        for (const press of pressesIn(next.told, before.station)) if (press.at >= since) hear(press);
      }
      if (next.station.devices !== before.station?.devices) follow();
    });
  }

  return {
    state,
    start,
    choose: (deviceid) => pick('chosen', deviceid),
    take,
    pass,
    back,
    say,
    dismissQuestion: () => state.setState({ question: undefined }),
    clear() {
      state.setState({ ...NOTHING_DONE, message: undefined, question: undefined });
      keep(NOTHING_DONE);
    },
  };
}

export function nameIn(station: Station, deviceid: string): string {
  const label = findDevice(station.devices, deviceid)?.locationoverride ?? '';
  return label === '' ? deviceid : label;
}

function workWords({ order_number: order, sequenceid, line1 }: NonNullable<DevicePress['work']>): string {
  if (order !== null) return words.ofOrder(order);
  return sequenceid === null ? words.ofCommand(line1) : words.ofSequence(sequenceid);
}

/** Why no device can have this label. Undefined: it is possible. */
function problemOf({ devices, aliases }: Station, place: string, deviceid: string): string | undefined {
  const isDevice = devices.some((each) => each.deviceid === place.toUpperCase() && each.deviceid !== deviceid);
  if (isDevice) return words.isDevice(place.toUpperCase());
  const alias = aliases.find(({ name }) => nameKey(name) === nameKey(place));
  return alias === undefined ? undefined : words.isAlias(alias.name, alias.deviceid);
}

/** Whether the device shows work, so that it cannot flash. */
export function hasWork({ commands }: Device): boolean {
  return commands.some((command) => !isIdentify(command));
}
