import type { DeviceRequest } from '#shared/api/device.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { NewSequence } from '#shared/api/sequence.ts';
import type { SettingsChange } from '#shared/api/settings.ts';
import type { Body } from '../../../electron/server/turbo/protocol/messages.ts';
import type { Answer } from '../../helpers/startTestStation.ts';

/** One element of what was asked of devices: by DeviceID in the path, or by a field of its own. */
export type DeviceAsk = { deviceid: string | undefined; request: DeviceRequest };

/** What a person did in the place of the worker's finger. */
export type StandInAsk =
  | { what: 'acknowledge'; deviceid: string; commandId: number; qty: number | undefined }
  | { what: 'adjust'; deviceid: string; commandId: number; quantity: number }
  | { what: 'takeAway'; deviceid: string; commandId: number }
  | { what: 'identify'; deviceid: string };

/** What was asked of sequences and orders, by their names. */
export type WorkAsk =
  | { what: 'createSequence'; name: string; body: NewSequence }
  | { what: 'changeSequence'; name: string; body: NewSequence }
  | { what: 'removeSequence'; name: string }
  | { what: 'launchSequence'; name: string; restart: boolean }
  | { what: 'createOrder'; name: string; body: NewOrder }
  | { what: 'launchOrder' | 'abortOrder' | 'removeOrder'; name: string }
  | { what: 'correctItem'; name: string; itemId: number; to: number };

/** What pickers ask for, by the numbers of orders. */
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
  | { what: 'reopen'; name: string; itemId: number; quantity: number | undefined; key: string | undefined }
  | {
      what: 'scan';
      code: string;
      order: string | undefined;
      picker: string | undefined;
      act: boolean;
      quantity: number | undefined;
      key: string | undefined;
    }
  | { what: 'acknowledge'; deviceid: string; commandId: number; qty: number | undefined; key: string | undefined };

/** A report as it reached the station. */
export type Arrival = {
  kind: 'arrived';
  report: JournalReport;
  /** The station said that there is no session: it did not look at the report. */
  refused: boolean;
  /** The newest history row on disk at the moment at which the turbo was told that the report is taken. */
  historyWhenAcked: number | undefined;
};

export type JournalReport =
  | { name: 'shown'; body: Body<'shown'> }
  | { name: 'button'; body: Body<'button'> }
  | { name: 'ended'; body: Body<'ended'> };

/** What went in and out of the station, in order: the only thing, beside the rows on disk, that the oracle is shown. */
export type Event =
  | { kind: 'asked'; asks: DeviceAsk[]; bulk: boolean; answer: Answer | undefined }
  /** `isRacing`: something else came at the same moment, and which was first is the station's choice. */
  | { kind: 'stoodIn'; ask: StandInAsk; isRacing: boolean; answer: Answer | undefined }
  | { kind: 'worked'; ask: WorkAsk; answer: Answer | undefined }
  /** `by`: the person or the API user who asked. */
  | { kind: 'picked'; ask: PickAsk; by: string; answer: Answer | undefined }
  | { kind: 'settings'; change: SettingsChange }
  | Arrival
  /**
   * The station told a turbo what a device is to show; `firstOnDisk` headed the device's queue on disk at that moment.
   * `writing`: a report of the device had come and was not on disk yet. `writingOther`: only reports of others, which may light
   * the next steps of a sequence here.
   */
  | { kind: 'show'; show: Body<'show'>; firstOnDisk: number; writing: boolean; writingOther: boolean }
  /** The station told a turbo what a device goes back to. */
  | { kind: 'keep'; keep: Body<'keep'> }
  /** The turbo did not take what a device is to show. */
  | { kind: 'refused'; device: string }
  /** The turbo spoke for a device: the truth of when something happened there, whether the frame came through or not. */
  | { kind: 'happened'; report: JournalReport }
  | { kind: 'restarted'; device: string }
  | { kind: 'jumped'; ms: number }
  | { kind: 'started'; createdAt: number }
  | { kind: 'stopped' }
  | { kind: 'welcomed' }
  | { kind: 'synced' }
  | { kind: 'closed' }
  /** Something was done to the link or to this device's radio. Infinity: it is not good now. */
  | { kind: 'radio'; device: string; goodSinceMono: number };

/** An event with its wall and monotonic moment. */
export type Entry = Event & { wallMs: number; monoMs: number };

export type Journal = {
  note(event: Event): void;
  /** What was noted since the last call. */
  take(): Entry[];
};

export function createJournal(clock: { now(): number; monotonic(): number }): Journal {
  let entries: Entry[] = [];
  return {
    // The same object, so that what is learnt later can be added to it.
    note: (event) => void entries.push(Object.assign(event, { wallMs: clock.now(), monoMs: clock.monotonic() })),
    take() {
      const taken = entries;
      entries = [];
      return taken;
    },
  };
}
