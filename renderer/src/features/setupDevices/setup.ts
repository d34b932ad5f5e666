import type { StoreApi } from 'zustand/vanilla';
import { assignPlace, keepLabel, undoLast } from './assignPlace.ts';
import { followStation, selectDevice } from './selectDevice.ts';
import { createSetupContext, type SetupMessage, type SetupParts, type SetupState } from './setupContext.ts';

/** Assigns places to devices, one after another. */
export type DeviceSetup = {
  state: StoreApi<SetupState>;
  /** Starts listening to presses. Returns a function that stops it. */
  start(): () => void;
  choose(deviceid: string): void;
  /** Assigns the place to the current device. `move`: even if another device has it. */
  take(place: string, move?: boolean): Promise<void>;
  /** Keeps the label of the current device. */
  pass(): void;
  back(): Promise<void>;
  showMessage(message: SetupMessage | undefined): void;
  /** Dismisses the question, because the person wants another place. */
  dismissQuestion(): void;
  /** Forgets the finished devices. */
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
