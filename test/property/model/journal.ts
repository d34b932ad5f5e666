import type { DeviceRequest } from '#shared/api/device.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { NewSequence } from '#shared/api/sequence.ts';
import type { SettingsChange } from '#shared/api/settings.ts';
import type { Body } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import type { Answer } from '../../helpers/startTestStation.ts';

/** A request to one device, which the path or a field identifies. */
export type DeviceAsk = { deviceid: string | undefined; request: DeviceRequest };

/** An action at the station that takes the place of a press at the device. */
export type StandInAsk =
  | { what: 'acknowledge'; deviceid: string; commandId: number; qty: number | undefined }
  | { what: 'adjust'; deviceid: string; commandId: number; quantity: number }
  | { what: 'takeAway'; deviceid: string; commandId: number }
  | { what: 'identify'; deviceid: string };

/** Requests about sequences and orders, by name. */
export type WorkAsk =
  | { what: 'createSequence'; name: string; body: NewSequence }
  | { what: 'changeSequence'; name: string; body: NewSequence }
  | { what: 'removeSequence'; name: string }
  | { what: 'launchSequence'; name: string; restart: boolean }
  | { what: 'createOrder'; name: string; body: NewOrder }
  | { what: 'launchOrder' | 'abortOrder' | 'removeOrder'; name: string }
  | { what: 'correctItem' | 'orderPieces'; name: string; itemId: number; to: number }
  | { what: 'removeLine'; name: string; itemId: number };

/** Requests of pickers. `name` is the order number. */
export type PickAsk =
  | { what: 'launch' | 'join'; name: string; picker: string | undefined; color: string | undefined }
  | { what: 'leave' | 'pause'; name: string; picker: string | undefined }
  | { what: 'handover'; name: string; picker: string }
  | {
      what: 'short';
      name: string;
      itemId: number;
      quantity: number | undefined;
      reason: string;
      elsewhere: string | undefined;
      key: string | undefined;
    }
  | {
      what: 'reopen';
      name: string;
      itemId: number;
      quantity: number | undefined;
      instead: number | undefined;
      /** Pieces of `instead`. */
      pieces: number | undefined;
      key: string | undefined;
    }
  | { what: 'current'; itemId: number | null; commandId: number | undefined; picker: string | undefined }
  | { what: 'adjust'; deviceid: string; commandId: number; quantity: number; key: string | undefined }
  | {
      what: 'scan';
      code: string;
      order: string | undefined;
      picker: string | undefined;
      act: boolean;
      quantity: number | undefined;
      close: boolean;
      over: boolean;
      reason: string | undefined;
      key: string | undefined;
    }
  | { what: 'acknowledge'; deviceid: string; commandId: number; qty: number | undefined; key: string | undefined };

/** A report as it reached the station. */
export type Arrival = {
  kind: 'arrived';
  report: JournalReport;
  /** Whether the station had no session and therefore refused and ignored the report. */
  refused: boolean;
  /** Id of the newest history row on disk when the station acknowledged the report to the turbo. */
  historyWhenAcked: number | undefined;
};

export type JournalReport =
  | { name: 'shown'; body: Body<'shown'> }
  | { name: 'button'; body: Body<'button'> }
  | { name: 'ended'; body: Body<'ended'> };

/** Inputs and outputs of the station, in order. The oracle sees only these and the rows on disk. */
export type Event =
  | { kind: 'asked'; asks: DeviceAsk[]; bulk: boolean; answer: Answer | undefined }
  /** `isRacing` is true if something else arrived at the same moment, so that the station may choose the order. */
  | { kind: 'stoodIn'; ask: StandInAsk; isRacing: boolean; answer: Answer | undefined }
  | { kind: 'worked'; ask: WorkAsk; answer: Answer | undefined }
  /** `by` is the person or API user who sent the request. */
  | { kind: 'picked'; ask: PickAsk; by: string; answer: Answer | undefined }
  | { kind: 'settings'; change: SettingsChange }
  | Arrival
  /**
   * The station sent a device its screen. `firstOnDisk` was the head of the device's queue on disk at that moment. `writing` is true if a
   * report of the device was not on disk yet. `writingOther` is true if only reports of other devices, which may light the next steps of a
   * sequence here, were not on disk yet.
   */
  | { kind: 'show'; show: Body<'show'>; firstOnDisk: number; writing: boolean; writingOther: boolean }
  /** The station sent a device the background to return to. */
  | { kind: 'keep'; keep: Body<'keep'> }
  /** The turbo refused the screen for this device. */
  | { kind: 'refused'; device: string }
  /** The turbo reported an event on a device. The frame may not have arrived. */
  | { kind: 'happened'; report: JournalReport }
  | { kind: 'restarted'; device: string }
  | { kind: 'jumped'; ms: number }
  | { kind: 'started'; createdAt: number }
  | { kind: 'stopped' }
  | { kind: 'welcomed' }
  | { kind: 'synced' }
  | { kind: 'closed' }
  /** The link or this device's radio changed. `goodSinceMono` is Infinity while it is bad. */
  | { kind: 'radio'; device: string; goodSinceMono: number };

/** An event with its wall and monotonic time. */
export type Entry = Event & { wallMs: number; monoMs: number };

export type Journal = {
  note(event: Event): void;
  /** Returns the events recorded since the last call. */
  take(): Entry[];
};

export function createJournal(clock: { now(): number; monotonic(): number }): Journal {
  let entries: Entry[] = [];
  return {
    // Keep the same object, because details can be added to it later.
    note: (event) => void entries.push(Object.assign(event, { wallMs: clock.now(), monoMs: clock.monotonic() })),
    take() {
      const taken = entries;
      entries = [];
      return taken;
    },
  };
}
