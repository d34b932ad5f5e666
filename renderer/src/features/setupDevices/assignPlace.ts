import type { Station } from '#shared/api/station.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { isAmbiguous, type LabelChange } from '../../shop/place/LabelMeaning.tsx';
import { renamePlace } from '../../shop/place/renamePlace.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { locations as placeWords } from '../../words/locations.ts';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { type Holders, isFree, takenPlaces } from './places.ts';
import { dropChanged } from './selectDevice.ts';
import { nameIn, type SetupContext, type SetupMessage } from './setupContext.ts';
import type { Done, Picked } from './steps.ts';
import { undoPlace, writePlace } from './writePlace.ts';

/** What a person means by another place for a device that has one. Empty before the choice. */
export type Meant = LabelChange;

/**
 * Assigns the typed place to the selected device. If something else has the place, or the device has another one, asks first, unless `meant`
 * is set.
 */
export async function assignPlace(context: SetupContext, typed: string, meant: Meant = ''): Promise<void> {
  const { state, station, store, wrong } = context;
  const place = typed.trim();
  const { current } = state.getState();
  if (current === undefined) return wrong(words.pressFirst);
  if (place === '') return wrong(words.noPlace);
  const problem = problemOf(station(), place, current.deviceid);
  if (problem !== undefined) return wrong(problem);
  const holders = takenPlaces({ ...station(), places: store.getState().places }).of(place, current.deviceid);
  const before = context.findDevice(current.deviceid)?.locationoverride ?? '';
  if (meant === '' && !isFree(holders))
    return state.setState({ question: { kind: 'taken', place, before, holders }, message: undefined });
  if (meant === '' && isAmbiguous(before, place))
    return state.setState({ question: { kind: 'meaning', place, before }, message: undefined });
  await whileBusy(context, () =>
    savePlace(context, current, place, { holders, from: meant === 'rename' ? before : undefined }),
  );
}

/** How to save a place. `from` is the former name of the place if it is renamed. */
type SaveHow = { holders: Holders; from: string | undefined };

async function savePlace(
  context: SetupContext,
  device: Picked,
  place: string,
  { holders, from }: SaveHow,
): Promise<void> {
  const { step, wrong, now } = context;
  const { deviceid } = device;
  // The answer to an earlier request may have been lost although the place was renamed.
  const wasRenamed = device.isRenamed && isWritten(context, device) && nameKey(device.tried) === nameKey(place);
  const isRenamed = from !== undefined || wasRenamed;
  step({ type: 'tried', place, isRenamed });
  try {
    const written =
      from === undefined
        ? await writePlace(writeParts(context), { deviceid, place, holders })
        : { others: [], notes: [], warnings: await renamePlace(context.api, from, place) };
    const { others, notes, warnings } = written;
    const done = from === undefined ? words.done(place, deviceid) : placeWords.rename.done(from, place);
    const text = [done, ...notes, ...warnings].join(' ');
    const kind = notes.length > 0 ? 'wrong' : warnings.length > 0 ? 'note' : 'right';
    step(
      { type: 'placed', device, place, others, isRenamed, at: now() },
      { question: undefined, message: { kind, text } },
    );
  } catch (error) {
    wrong(`${words.notWritten(deviceid)} ${sentenceOf(error)}`);
  }
}

/**
 * Restores the previous positions of the last finished device and of the devices that lost their place to it, and
 * selects the finished device again.
 */
export async function undoLast(context: SetupContext): Promise<void> {
  const last = context.state.getState().done.at(-1);
  if (last !== undefined) await whileBusy(context, () => restorePlace(context, last));
}

async function restorePlace(context: SetupContext, last: Done): Promise<void> {
  const { step, wrong, now } = context;
  try {
    const { isUndone, notes } = await undoPlace(writeParts(context), last);
    const text = notes.length === 0 ? words.undone(last.place, last.before.deviceid) : notes.join(' ');
    const message: SetupMessage = { kind: notes.length === 0 ? 'note' : 'wrong', text };
    step(isUndone ? { type: 'undone', which: last, at: now() } : { type: 'forgotten', which: last }, { message });
  } catch (error) {
    wrong(`${words.notUndone(last.place)} ${sentenceOf(error)}`);
  }
}

/**
 * Keeps the label of the selected device and selects the next one. If the label is already the requested one, because the station saved it
 * but the response was lost, the device counts as finished.
 */
export function keepLabel(context: SetupContext): void {
  const { state, station, findDevice, step, now } = context;
  const { current, isBusy } = state.getState();
  if (current === undefined || isBusy) return;
  const label = findDevice(current.deviceid)?.locationoverride ?? '';
  const { isRenamed } = current;
  const at = now();
  if (isWritten(context, current))
    step({ type: 'placed', device: current, place: label, others: [], isRenamed, at }, { message: undefined });
  else step({ type: 'passed' }, { message: { kind: 'note', text: words.left(nameIn(station(), current.deviceid)) } });
}

/** Whether the station saved the last place of a device, although its response may have been lost. */
function isWritten({ findDevice }: SetupContext, { deviceid, tried, before }: Picked): boolean {
  const label = findDevice(deviceid)?.locationoverride ?? '';
  return tried !== '' && nameKey(label) === nameKey(tried) && label !== before?.label;
}

/** Runs a change, unless another change is being saved. */
async function whileBusy(context: SetupContext, run: () => Promise<void>): Promise<void> {
  const { state } = context;
  if (state.getState().isBusy) return;
  state.setState({ isBusy: true });
  try {
    await run();
  } finally {
    state.setState({ isBusy: false });
    dropChanged(context);
  }
}

function writeParts({ api, station, has }: SetupContext): Parameters<typeof writePlace>[0] {
  return { api, station: station(), mayPlace: has('edit_map') };
}

/** Explains why no device can have this label. Returns undefined if a device can. */
function problemOf({ devices, aliases }: Station, place: string, deviceid: string): string | undefined {
  const isDevice = devices.some((each) => each.deviceid === place.toUpperCase() && each.deviceid !== deviceid);
  if (isDevice) return words.isDevice(place.toUpperCase());
  const alias = aliases.find(({ name }) => nameKey(name) === nameKey(place));
  return alias === undefined ? undefined : words.isAlias(alias.name, alias.deviceid);
}
