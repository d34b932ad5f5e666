import { useRef, useState } from 'react';
import type { DeviceRequest } from '#shared/api/device.ts';
import { useStationContext } from '../../station/context.ts';
import { askForEach, sendInParts, type BulkOutcome } from '../../ui/bulkOutcome.ts';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';

/** Of one thing after the other only the newest is said. */
const TOPIC = 'devices.bulk';

export type BulkKind = keyof typeof texts.devices.bulk.done;

type Running = { kind: BulkKind; done: number; all: number };

/** Everything that a device shows while idle, but its label. */
const NO_STATICS: DeviceRequest = {
  statica: '',
  staticb: '',
  staticc: '',
  staticd: '',
  statice: '',
  arrow: '',
  barcode: '',
  qrcode: '',
  icon: '',
  quantity: null,
};

export type Bulk = {
  running: Running | undefined;
  /** What became of the last one, where not all of it worked. */
  outcome: (BulkOutcome & { isCancelled: boolean }) | undefined;
  forget(): void;
  cancel(): void;
  /** `settings`: what is changed. */
  run(kind: BulkKind, deviceids: readonly string[], settings?: DeviceRequest): Promise<void>;
};

/**
 * One change of many devices, with how far it is and what became of each. `settled` is told the devices that are to be
 * chosen no more: those that are gone, and where not all of it worked, those where it did.
 */
export function useBulk(settled: (deviceids: readonly string[]) => void): Bulk {
  const { api } = useStationContext();
  const toasts = useToasts();
  const [running, setRunning] = useState<Running>();
  const [outcome, setOutcome] = useState<Bulk['outcome']>();
  const cancelled = useRef(false);

  async function run(kind: BulkKind, deviceids: readonly string[], settings: DeviceRequest = {}): Promise<void> {
    cancelled.current = false;
    setOutcome(undefined);
    setRunning({ kind, done: 0, all: deviceids.length });
    const progress = (done: number) => setRunning({ kind, done, all: deviceids.length });
    const isCancelled = () => cancelled.current;
    const send = (request: DeviceRequest) =>
      sendInParts(
        deviceids.map((deviceid) => ({ ...request, deviceid })),
        (part) => api.sendMany(part),
        progress,
        isCancelled,
      );
    const each = (ask: (deviceid: string) => Promise<void>) => askForEach(deviceids, ask, progress, isCancelled);
    const ways: Record<BulkKind, () => Promise<BulkOutcome>> = {
      identify: () => each((deviceid) => api.identify(deviceid)),
      kill: () => send({ command: 'kill' }),
      settings: () => send(settings),
      statics: () => send(NO_STATICS),
      remove: () => each((deviceid) => api.removeDevice(deviceid)),
    };
    const result = await ways[kind]();
    setRunning(undefined);
    const { done, failed, left } = result;
    const isWhole = failed.length === 0 && left.length === 0;
    if (isWhole) toasts.say(texts.devices.bulk.done[kind](done.length), { topic: TOPIC });
    else setOutcome({ ...result, isCancelled: cancelled.current });
    if (!isWhole || kind === 'remove') settled(done);
  }

  return {
    running,
    outcome,
    forget: () => setOutcome(undefined),
    cancel: () => {
      cancelled.current = true;
    },
    run,
  };
}
