import type { TurboLinkChange } from '#shared/api/turbo.ts';
import { lookAlikeKey } from '#shared/lib/text/lookAlike.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { wledDeviceId } from '#shared/lib/devices/wledNames.ts';
import type { LinkPlaceRow, TurboLinkRow } from '../../db/repositories/turboLinks.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { type By, refuseReserved } from '../base/index.ts';
import { refuseLost, sharedLabelWarnings } from '../devices/index.ts';
import type { LinkContext } from './types.ts';

/** Hardware that each place on an LED strip reports. */
const A_LIGHT = { firmware: 0, screen: false, led: true, buttons: 0, latency: 'live' } as const;

type Owner = Pick<TurboLinkRow, 'id' | 'kind' | 'serial_number'>;
type WantedPlaces = NonNullable<TurboLinkChange['places']>;

/**
 * Replaces the places of a link. Matches places by number or, without a number, by label. Gives registered devices their new labels. Returns
 * warnings. Throws `invalid`, also if `strict` and a place with goods would lose its last light.
 */
export function savePlaces(
  context: LinkContext,
  tx: Transaction,
  row: Owner,
  wanted: WantedPlaces,
  { by, strict }: { by: By; strict: boolean },
): string[] {
  if (wanted.length > 0 && row.kind !== 'wled') {
    throw new StationError('invalid', 'Only a WLED controller has places.', [
      { path: '/places', message: 'Leave out the places.' },
    ]);
  }
  const { turboLinks } = context.repositories;
  const left = new Map(
    turboLinks.listPlaces().flatMap((place) => (place.link_id === row.id ? [[place.number, place] as const] : [])),
  );
  const numbered = wanted.map((place) => ({
    ...place,
    number: place.number ?? numberOf(context, row, [...left.values()], place.label),
  }));
  const warnings: string[] = [];
  /** The first of the labels that look alike, by key. */
  const firstLabels = new Map<string, string>();
  const relabeled: { deviceId: string; label: string; path: string }[] = [];
  for (const [index, { number, label, ranges }] of numbered.entries()) {
    const known = number === undefined ? undefined : left.get(number);
    if (number !== undefined && known === undefined) {
      throw new StationError('invalid', `There is no place ${number} on this link, or it is named twice.`, [
        { path: '/places', message: `There is no place ${number}, or it is named twice.` },
      ]);
    }
    if (known !== undefined) left.delete(known.number);
    const isRenamed = known === undefined || known.is_new === 1 || labelOf(context, row, known) !== label;
    const deviceId = number === undefined ? null : deviceIdOf(row, number);
    const path = `/places/${index}/label`;
    const isDevice =
      known?.is_new === 0 && deviceId !== null && context.repositories.devices.find(deviceId) !== undefined;
    if (isRenamed) refuseReserved(label, path, deviceId);
    if (isRenamed && isDevice) relabeled.push({ deviceId, label, path });
    const key = lookAlikeKey(label);
    const twin = firstLabels.get(key);
    if (twin === undefined) firstLabels.set(key, label);
    else warnings.push(`${path}: ${twinWords(twin, label)}`);
    const shared = isRenamed ? sharedBy(context, label, row, isDevice ? undefined : { deviceId }) : [];
    warnings.push(...shared.map((warning) => `${path}: ${warning}`));
    const place = { label, ranges, is_new: isRenamed && !isDevice ? 1 : 0 } as const;
    turboLinks.savePlace({ link_id: row.id, number: known?.number ?? turboLinks.nextPlace(row.id), ...place });
  }
  for (const number of left.keys()) turboLinks.removePlace(row.id, number);
  return [...warnings, ...relabel(context, tx, relabeled, { by, strict })];
}

/** Gives devices new labels together. Returns warnings. */
function relabel(
  { devices }: LinkContext,
  tx: Transaction,
  relabeled: readonly { deviceId: string; label: string; path: string }[],
  { by, strict }: { by: By; strict: boolean },
): string[] {
  const { warnings, said } = devices.relabel(tx, relabeled, by.name);
  if (strict) refuseLost(said.lost, '/places');
  const own = relabeled.flatMap(({ path }, index) => (warnings[index] ?? []).map((warning) => `${path}: ${warning}`));
  return [...own, ...[...said.lost, ...said.warnings].map((warning) => `/places: ${warning}`)];
}

/**
 * Returns warnings if the label also belongs to a new place of another controller that is not registered as a device yet or, if the place
 * is not registered itself (`unregistered`), to a device or an alias.
 */
function sharedBy(
  { repositories }: LinkContext,
  label: string,
  row: Owner,
  unregistered: { deviceId: string | null } | undefined,
): string[] {
  const waiting = repositories.turboLinks
    .listPlaces()
    .some((other) => other.link_id !== row.id && other.is_new === 1 && nameKey(other.label) === nameKey(label));
  return [
    ...(unregistered === undefined ? [] : sharedLabelWarnings(repositories, label, unregistered.deviceId)),
    ...(waiting ? [`A place of another controller has the label "${label}" too. Change one of the labels.`] : []),
  ];
}

function twinWords(first: string, label: string): string {
  return nameKey(first) === nameKey(label)
    ? `Another place of this controller has the label "${label}" too. Change one of the labels.`
    : `"${label}" looks like "${first}", the label of another place of this controller. Choose names that people cannot confuse.`;
}

function numberOf(context: LinkContext, row: Owner, places: LinkPlaceRow[], label: string): number | undefined {
  return places.find((place) => nameKey(labelOf(context, row, place)) === nameKey(label))?.number;
}

function labelOf({ repositories }: LinkContext, row: Owner, { number, label, is_new }: LinkPlaceRow): string {
  const deviceId = deviceIdOf(row, number);
  return (is_new === 0 && deviceId !== null ? repositories.devices.find(deviceId)?.label : undefined) ?? label;
}

/** Registers the places of links as devices, with their labels, once their controller has identified itself. */
export function settlePlaces(context: LinkContext): void {
  const { reads, writer, networkLinks, log } = context;
  for (const { id, turbo, step } of networkLinks.states()) {
    if (turbo === undefined || step !== 'online') continue;
    const row = reads.turboLinks.list().find((one) => String(one.id) === id);
    const isSettled = row?.serial_number === turbo && !reads.turboLinks.listPlaces().some(isUnsettled(Number(id)));
    if (isSettled) continue;
    writer
      .write((tx) => settle(context, tx, Number(id), turbo))
      .catch((error: unknown) => log.error({ err: error, link: id }, 'could not record the places of a link'));
  }
}

function settle(context: LinkContext, tx: Transaction, id: number, turbo: string): void {
  const { repositories, devices } = context;
  repositories.turboLinks.setIdentity({ id, serial_number: turbo });
  const name = repositories.turboLinks.list().find((one) => one.id === id)?.name ?? '';
  if (name !== '') nameTurbo(context, tx, turbo, name);
  for (const place of repositories.turboLinks.listPlaces()) {
    const deviceId = deviceIdOf({ serial_number: turbo }, place.number);
    if (!isUnsettled(id)(place) || deviceId === null) continue;
    // A device with a configured place counts as accepted, so register it immediately.
    devices.register(tx, { deviceId, ...A_LIGHT });
    devices.change(tx, deviceId, { locationoverride: place.label });
    repositories.turboLinks.savePlace({ ...place, is_new: 0 });
  }
}

/** Sets the display name of a link's turbo. */
export function nameTurbo({ repositories }: LinkContext, tx: Transaction, serial_number: string, name: string): void {
  repositories.turboNames.set(serial_number, name);
  tx.emit({ type: 'turbo.named', serial_number, name });
}

const isUnsettled =
  (linkId: number) =>
  ({ link_id, is_new }: LinkPlaceRow): boolean =>
    link_id === linkId && is_new === 1;

/** Returns the DeviceID of a place, or null if the controller has never identified itself. */
export function deviceIdOf({ serial_number }: Pick<TurboLinkRow, 'serial_number'>, number: number): string | null {
  const [, mac] = /^WLED-(\w{12})$/.exec(serial_number) ?? [];
  return mac === undefined ? null : wledDeviceId(mac, number);
}
