import type { StoreApi } from 'zustand/vanilla';
import { assignPlace, keepLabel, undoLast } from './assignPlace.ts';
import { followStation, selectDevice } from './selectDevice.ts';
import { createSetupContext, type SetupMessage, type SetupParts, type SetupState } from './setupContext.ts';

/** A session that assigns places to devices, one after another. */
export type DeviceSetup = {
  state: StoreApi<SetupState>;
  /** Starts selecting pressed devices. Returns a function that stops it. */
  start(): () => void;
  choose(deviceid: string): void;
  /** Assigns the place to the current device. With `move`, assigns it even if another device has the place. */
  take(place: string, move?: boolean): Promise<void>;
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
    take: (place, move) => assignPlace(context, place, move),
    pass: () => keepLabel(context),
    back: () => undoLast(context),
    showMessage: say,
    dismissQuestion: () => state.setState({ question: undefined }),
    clear,
  };
}
