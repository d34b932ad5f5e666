import { nameKey } from '#shared/lib/text/nameKey.ts';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { type DevicePress, pressesIn } from './presses.ts';
import { nameIn, type SetupContext } from './setupContext.ts';
import type { Picked } from './steps.ts';
import { positionOf } from './writePlace.ts';

/** A press counts if it happened at most this many milliseconds before the page was opened. */
const JUST_NOW_MS = 3_000;
const NO_LABEL = { deviceid: '', label: '', cell: undefined };

/**
 * Selects devices that are pressed, and drops devices that were removed or were set up in another window. Returns a function that stops
 * following the station.
 */
export function followStation(context: SetupContext): () => void {
  const { store, now } = context;
  const { station, clockSkewMs } = store.getState();
  const since = now() - clockSkewMs - JUST_NOW_MS;
  if (station !== null) dropChanged(context);
  return store.subscribe((next, before) => {
    if (next.station === null) return;
    if (next.told !== before.told) {
      for (const press of pressesIn(next.told, before.station)) if (press.at >= since) selectPressed(context, press);
    }
    if (next.station.devices !== before.station?.devices) dropChanged(context);
  });
}

/** Selects a pressed device. If the press acknowledged a command, only reports that. */
function selectPressed(context: SetupContext, { deviceid, work }: DevicePress): void {
  if (work === null) return selectDevice(context, 'pressed', deviceid);
  context.showMessage({ kind: 'note', text: words.wasWork(nameIn(context.station(), deviceid), workWords(work)) });
}

/** Selects the device, or queues it if it was pressed while another device is selected. */
export function selectDevice(context: SetupContext, type: 'pressed' | 'chosen', deviceid: string): void {
  if (context.findDevice(deviceid) === undefined && !context.has('manage_devices'))
    return context.wrong(words.notAccepted(deviceid));
  const { current, queue } = context.state.getState();
  const device: Picked = {
    deviceid,
    at: context.now(),
    before: positionBefore(context, deviceid),
    tried: '',
    isRenamed: false,
  };
  const isWaiting = type === 'pressed' && current !== undefined && current.deviceid !== deviceid;
  if (current?.deviceid === deviceid || isWaiting) context.flash(deviceid);
  const isNew = isWaiting && !queue.some((each) => each.deviceid === deviceid);
  context.step({ type, device }, isNew ? {} : { message: undefined });
}

/** Returns the previous position of a device. Uses the place of the last step if the store still has the old label. */
function positionBefore({ station, state }: SetupContext, deviceid: string): Picked['before'] {
  const position = positionOf(station(), deviceid);
  const last = state.getState().done.findLast((each) => each.before.deviceid === deviceid);
  const isOld = last !== undefined && position?.label === last.before.label;
  return position === undefined || !isOld ? position : { ...position, label: last.place };
}

/** Drops devices that were removed or were set up in another window. */
export function dropChanged(context: SetupContext): void {
  const { current, queue, isBusy } = context.state.getState();
  const picked = current === undefined ? queue : [current, ...queue];
  const gone = picked.filter(
    ({ before, deviceid }) => before !== undefined && context.findDevice(deviceid) === undefined,
  );
  const elsewhere = isBusy ? [] : picked.filter((each) => isSetElsewhere(context, each));
  if (gone.length + elsewhere.length === 0) return;
  const isGone = current !== undefined && gone.includes(current);
  if (isGone) context.wrong(words.gone(current.deviceid));
  else if (current !== undefined && elsewhere.includes(current)) {
    const name = nameIn(context.station(), current.deviceid);
    context.showMessage({ kind: 'note', text: words.setElsewhere(current.deviceid, name) });
  }
  context.step({ type: 'dropped', deviceids: new Set([...gone, ...elsewhere].map(({ deviceid }) => deviceid)) });
}

/** Whether another window has changed the device's label since it was selected. */
function isSetElsewhere(
  context: SetupContext,
  { deviceid, before: { label: old } = NO_LABEL, tried }: Picked,
): boolean {
  const label = context.findDevice(deviceid)?.locationoverride ?? '';
  return label !== '' && ![old, tried].some((each) => nameKey(each) === nameKey(label));
}

function workWords({ order_number: order, sequenceid, line1 }: NonNullable<DevicePress['work']>): string {
  if (order !== null) return words.ofOrder(order);
  return sequenceid === null ? words.ofCommand(line1) : words.ofSequence(sequenceid);
}
