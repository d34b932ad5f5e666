import { placeKey } from '#shared/lib/nameKey.ts';
import type { ImportedPlace } from '../../db/repositories/imports.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Aliases } from '../aliases/index.ts';
import type { Devices } from '../devices/index.ts';
import { isSame, type JudgedPlace, type WantedPlace } from './judgePlaces.ts';

export type PlacesContext = {
  repositories: Pick<Repositories, 'aliases' | 'devices' | 'imports'>;
  aliases: Pick<Aliases, 'addWithin' | 'replaceWithin'>;
  devices: Pick<Devices, 'change'>;
};

/** A place; its use-case updates the outcome. */
export type PlaceToApply = { judged: JudgedPlace };

/**
 * Groups places into use-cases, in an order in which a device gives up its label before another one gets it. Devices that exchange labels
 * in a circle share one use-case.
 */
export function stepsOf(places: readonly PlaceToApply[]): PlaceToApply[][] {
  const isChange = ({ judged }: PlaceToApply) => judged.outcome === 'new' || judged.outcome === 'changed';
  const holders = new Map<string, PlaceToApply>();
  for (const place of places.filter(isChange)) {
    const label = labelOf(place);
    if (label !== null && label.before !== '') holders.set(placeKey(label.before), place);
  }
  const steps: PlaceToApply[][] = [];
  const done = new Set<PlaceToApply>();
  for (const place of places.filter(isChange)) {
    const path: PlaceToApply[] = [];
    for (let next: PlaceToApply | undefined = place; next !== undefined && !done.has(next);) {
      done.add(next);
      path.push(next);
      next = holderOf(holders, next);
    }
    const last = path.at(-1);
    const holder = last === undefined ? undefined : holderOf(holders, last);
    const circle = holder === undefined ? -1 : path.indexOf(holder);
    const open = circle < 0 ? path : path.slice(0, circle);
    if (circle >= 0) steps.push(path.slice(circle));
    steps.push(...open.toReversed().map((each) => [each]));
  }
  return steps;
}

function labelOf({ judged }: PlaceToApply): { after: string; before: string } | null {
  return 'wanted' in judged ? judged.wanted.label : null;
}

/** The place whose device still has the label that this place needs. */
function holderOf(holders: ReadonlyMap<string, PlaceToApply>, place: PlaceToApply): PlaceToApply | undefined {
  const label = labelOf(place);
  const holder = label === null ? undefined : holders.get(placeKey(label.after));
  return holder === place ? undefined : holder;
}

/** Creates and changes the places of one use-case. Returns whether anything changed. */
export function applyStep(
  context: PlacesContext,
  tx: Transaction,
  places: readonly PlaceToApply[],
  { id, step, by }: { id: number; step: number; by: string },
): boolean {
  let isChanged = false;
  for (const place of places) {
    const { judged } = place;
    if (!('wanted' in judged)) continue;
    const { deviceId } = judged.wanted;
    const alias = applyAlias(context, tx, judged.wanted.alias, by);
    const label = applyLabel(context, tx, judged.wanted);
    const change = {
      alias: alias === null || alias.isKnown ? null : alias,
      label: label === null ? null : { deviceid: deviceId, ...label },
    };
    const isKnown = change.alias === null && label === null;
    const outcome = isKnown ? 'known' : change.alias?.before === null ? 'new' : 'changed';
    place.judged = { ...judged, outcome, wanted: { deviceId, alias, label } };
    if (isKnown) continue;
    isChanged = true;
    context.repositories.imports.addPlace(id, step, judged.read.line, change);
  }
  return isChanged;
}

type AppliedAlias = ImportedPlace['alias'] & { isKnown: boolean };

/** Compares again, because the station can have changed since the row was judged. */
function applyAlias(
  { repositories, aliases }: PlacesContext,
  tx: Transaction,
  alias: WantedPlace['alias'],
  by: string,
): AppliedAlias | null {
  if (alias === null) return null;
  const { after } = alias;
  const judged = alias.id === null ? undefined : repositories.aliases.find(alias.id);
  const now = judged ?? repositories.aliases.findByName(after.name);
  if (now === undefined) return { id: aliases.addWithin(tx, after).id, after, before: null, isKnown: false };
  const { id, ...before } = now;
  const isKnown = isSame(after, before);
  if (!isKnown) aliases.replaceWithin(tx, now, after, by);
  return { id, after, before, isKnown };
}

/** Returns the change; null if the device already has the label. */
function applyLabel(
  { repositories, devices }: PlacesContext,
  tx: Transaction,
  { deviceId, label }: WantedPlace,
): WantedPlace['label'] {
  if (label === null) return null;
  const before = repositories.devices.find(deviceId)?.label;
  if (before === label.after) return null;
  // Throws if the device is gone.
  devices.change(tx, deviceId, { locationoverride: label.after });
  return { after: label.after, before: before ?? '' };
}

/** Refuses the places of a step whose use-case failed. */
export function refuseStep(error: unknown, places: readonly PlaceToApply[]): void {
  if (!(error instanceof StationError)) throw error;
  for (const place of places) place.judged = { read: place.judged.read, outcome: 'refused', message: error.message };
}
