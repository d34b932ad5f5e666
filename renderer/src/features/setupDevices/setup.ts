import type { StoreApi } from 'zustand/vanilla';
import { assignPlace, keepLabel, type Meant, undoLast } from './assignPlace.ts';
import { followStation, selectDevice } from './selectDevice.ts';
import { createSetupContext, type SetupMessage, type SetupParts, type SetupState } from './setupContext.ts';

/** A session that assigns places to devices, one after another. */
export type DeviceSetup = {
  state: StoreApi<SetupState>;
  /** Starts selecting pressed devices. Returns a function that stops it. */
  start(): () => void;
  choose(deviceid: string): void;
  /**
   * Assigns the place to the current device. If another device has the place, or the current device has another one, asks unless `meant` is
   * set. With `rename`, the former place of the device gets the name.
   */
  take(place: string, meant?: Meant): Promise<void>;
  /** Keeps the label of the current device and continues with the next device. */
  pass(): void;
  back(): Promise<void>;
  showMessage(message: SetupMessage | undefined): void;
  /** Closes the question, because the person wants to choose a different place. */
  dismissQuestion(): void;
  /** Forgets all steps, including those that this tab has stored. */
  clear(): void;
};

export function createSetup(parts: SetupParts): DeviceSetup {
  const context = createSetupContext(parts);
  const { state, showMessage: say, clear } = context;
  return {
    state,
    start: () => followStation(context),
    choose: (deviceid) => selectDevice(context, 'chosen', deviceid),
    take: (place, meant) => assignPlace(context, place, meant),
    pass: () => keepLabel(context),
    back: () => undoLast(context),
    showMessage: say,
    dismissQuestion: () => state.setState({ question: undefined }),
    clear,
  };
}
