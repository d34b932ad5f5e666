import type { DeviceRequest } from '#shared/api/device.ts';
import { NO_STATICS } from '#shared/lib/deviceFields.ts';
import { askForEach, type BulkOutcome, type BulkRun, sendInParts, useBulkRun } from '../../ui/bulkOutcome.ts';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';

/** Of one thing after the other only the newest is said. */
const TOPIC = 'devices.bulk';

export type BulkKind = keyof typeof texts.devices.bulk.done;

export type Bulk = BulkRun<BulkKind> & {
  /** `settings`: what is changed. */
  run(kind: BulkKind, deviceids: readonly string[], settings?: DeviceRequest): Promise<void>;
};

/**
 * One change of many devices. `settled` is told the devices that are to be chosen no more: those that are gone, and where not
 * all of it worked, those where it did.
 */
export function useBulk(settled: (deviceids: readonly string[]) => void): Bulk {
  const { api, toasts } = useServices();
  const { begin, ...bulk } = useBulkRun<BulkKind>((kind, done, isWhole) => {
    if (isWhole) toasts.say(texts.devices.bulk.done[kind](done.length), { topic: TOPIC });
    if (!isWhole || kind === 'remove') settled(done);
  });

  function run(kind: BulkKind, deviceids: readonly string[], settings: DeviceRequest = {}): Promise<void> {
    return begin(kind, deviceids.length, (progress, isCancelled) => {
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
      return ways[kind]();
    });
  }

  return { ...bulk, run };
}
