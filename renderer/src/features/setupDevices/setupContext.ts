import { createStore, type StoreApi } from 'zustand/vanilla';
import { findDevice } from '#shared/api/reducer.ts';
import type { Device } from '#shared/api/device.ts';
import type { Station } from '#shared/api/station.ts';
import type { Api } from '../../station/calls/api.ts';
import { sentenceOf } from '../../words/apiError.ts';
import type { StationStore } from '../../station/live/store.ts';
import { setupDevices as words } from '../../words/setupDevices.ts';
import type { Holders } from './places.ts';
import { nextSteps, NOTHING_DONE, type SetupStep, type Steps } from './steps.ts';

export type SetupMessage = { kind: 'right' | 'wrong' | 'note'; text: string };

type Question =
  | { kind: 'taken'; place: string; before: string; holders: Holders }
  | { kind: 'meaning'; place: string; before: string };

export type SetupState = Steps & {
  message: SetupMessage | undefined;
  /** The question whether to move the place, if another device has it, or what another place means for a device that has one. */
  question: Question | undefined;
  isBusy: boolean;
};

export type SetupParts = {
  store: StationStore;
  api: Api;
  now(): number;
  /** The steps that this tab stored on an earlier visit. */
  kept: Steps | undefined;
  keep(steps: Steps): void;
};

/** The state of the session and what its actions share. */
export type SetupContext = Pick<SetupParts, 'store' | 'api' | 'now'> & {
  state: StoreApi<SetupState>;
  /** Applies a step and other changes to the state, stores the steps, and flashes the current device if it has changed. */
  step(next: SetupStep, more?: Partial<SetupState>): void;
  showMessage(message: SetupMessage | undefined): void;
  wrong(text: string): void;
  station(): Station;
  findDevice(deviceid: string): Device | undefined;
  has(right: 'edit_map' | 'edit_stock' | 'manage_devices'): boolean;
  /** Flashes the device so that people see where it is, unless the device has a command. */
  flash(deviceid: string): void;
  /** Forgets all steps, including those that this tab has stored. */
  clear(): void;
};

export function createSetupContext({ store, api, now, kept, keep }: SetupParts): SetupContext {
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

  const showMessage = (message: SetupMessage | undefined) => state.setState({ message });
  const wrong = (text: string) => showMessage({ kind: 'wrong', text });

  function station(): Station {
    const { station: known } = store.getState();
    if (known === null) throw new Error('The page is drawn when the station is known.');
    return known;
  }

  const find = (deviceid: string): Device | undefined => findDevice(station().devices, deviceid);

  function flash(deviceid: string): void {
    const device = find(deviceid);
    if (device === undefined || device.commands.length > 0) return;
    api.identifyDevice({ path: { DeviceID: deviceid } }).catch((error: unknown) => {
      if (state.getState().current?.deviceid === deviceid) wrong(`${words.notFlashing(deviceid)} ${sentenceOf(error)}`);
    });
  }

  return {
    store,
    api,
    now,
    state,
    step,
    showMessage: showMessage,
    wrong,
    station,
    findDevice: find,
    has: (right) => station().user.rights.includes(right),
    flash,
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
