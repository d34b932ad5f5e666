import { byWalk, walkRanks } from '#shared/lib/picking/walk.ts';
import type { BatchPickerRow, BatchPickRow, BatchRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import { isLaunched, sumAt } from '../../domain/batches/shares.ts';
import { type JoinLine, linesToJoin } from '../../domain/batches/join.ts';
import { StationError } from '../../errors.ts';
import { labelOf } from '../commands/index.ts';
import { contentOfBatch, getPerson } from '../orders/index.ts';
import { apply, getBatch } from './apply.ts';
import { lightHands } from './lights.ts';
import { worked } from './stalls.ts';
import { STATES } from './scanned.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

type Tables = Pick<BatchesContext['reads'], 'batches'>;

/**
 * Returns everyone who picks a batch, the batch's picker first, then the helpers. `color` is the color of the person's lines, or null for
 * the default color.
 */
export function pickersOf(
  { batches }: Tables,
  { id, picker, color }: BatchRow,
): { name: string; color: string | null }[] {
  return [...(picker === null ? [] : [{ name: picker, color }]), ...batches.listHelpers(id)];
}

/**
 * Adds a helper, who takes over whole racks from another person. Also gives lines to a person who already picks the batch but has no open
 * line. Returns a warning if nothing changed. Throws `conflict` if the batch is not being picked.
 */
export function joinBatch(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { by, picker: named }: Doer,
): string | undefined {
  const { batches } = context.repositories;
  const open = getBatch(context.repositories, id);
  const { state } = open.batch;
  if (state === 'sorting')
    throw new StationError('conflict', `${open.row.carrierName} is being sorted: everybody can scan there.`);
  if (state !== 'picking') {
    const remedy = state === 'done' ? 'Load it again first.' : 'Start it first. POST .../launch/ does so.';
    throw new StationError('conflict', `${open.row.carrierName} is not being picked, so nobody can join. ${remedy}`);
  }
  const person = getPerson(context.repositories.accounts, named ?? by);
  const isIn = pickersOf(context.repositories, open.row).some(({ name }) => name === person.name);
  const isMain = open.row.picker === person.name;
  const lines = openLines(context, open);
  if (isIn && lines.some(({ picker }) => picker === (isMain ? null : person.name)))
    return `${person.name} is already picking ${open.row.carrierName}. Nothing was done.`;
  pauseOtherWork(context, tx, person.name, { by, but: id });
  const from = longestOf(lines);
  const given = linesToJoin(lines.filter(({ picker }) => picker === from));
  const helpers = batches.listHelpers(id);
  setPickers(context.repositories, open.row, open.row, isIn ? helpers : [...helpers, person]);
  saveBatch(context, tx, open.row);
  assign(context, tx, open, given, { to: isMain ? null : person, by });
  return given.length > 0 ? undefined : `${open.row.carrierName} has no open line for another person.`;
}

/**
 * Stores who picks a batch from now on: the picker of `after` and these helpers. Records that the others have left. The caller must save
 * `after`.
 */
export function setPickers(
  { batches }: Pick<BatchesContext['repositories'], 'batches'>,
  before: BatchRow,
  after: Pick<BatchRow, 'picker'>,
  helpers: readonly BatchPickerRow[],
): void {
  const now = new Set(helpers.map(({ name }) => name));
  if (after.picker !== null) now.add(after.picker);
  for (const { name } of pickersOf({ batches }, before)) if (!now.has(name)) batches.setLeft(before.id, name, true);
  for (const name of now) batches.setLeft(before.id, name, false);
  batches.setHelpers(before.id, helpers);
}

type OpenLine = JoinLine & { id: number; picker: string | null };

/** Returns the open lines in walking order. Lines without a light come last. */
function openLines({ repositories }: BatchesContext, { row, batch }: Open): OpenLine[] {
  const map = repositories.map.get();
  const rackAt = racksOf(map);
  const compare = byWalk(walkRanks(map));
  return repositories.batches
    .listPicks(row.id)
    .filter(({ id }) => sumAt(batch, id).sum > 0)
    .map(({ id, deviceId, picker, location }) => {
      const label = deviceId === null ? location : labelOf(repositories.devices, deviceId);
      const rack = deviceId === null ? undefined : rackAt.get(deviceId);
      return { id, picker, rack, isDark: Number(deviceId === null), deviceId: deviceId ?? `~${location}`, label };
    })
    .toSorted((one, other) => one.isDark - other.isDark || compare(one, other));
}

/** Maps each device on a rack to its rack. */
export function racksOf({
  racks,
  places,
}: ReturnType<BatchesContext['repositories']['map']['get']>): Map<string, string> {
  const rackOf = new Map(racks.flatMap(({ id, shelves }) => shelves.map((shelf) => [shelf.id, id] as const)));
  return new Map(
    places.flatMap(({ deviceid, shelf }) => {
      const rack = rackOf.get(shelf);
      return rack === undefined ? [] : [[deviceid, rack] as const];
    }),
  );
}

/** Returns the name of the helper with the most open lines, or null if the picker of the batch has the most. */
function longestOf(lines: readonly OpenLine[]): string | null {
  const lists = [...Map.groupBy(lines, ({ picker }) => picker)];
  return lists.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
}

/**
 * Assigns picks to a person and lights them in that person's color. `to` is null for the picker of the batch, which has to be saved before.
 * They stay current only for this person.
 */
export function assign(
  context: BatchesContext,
  tx: Transaction,
  { row }: Pick<Open, 'row'>,
  picks: readonly Pick<BatchPickRow, 'id'>[],
  { to, by }: { to: BatchPickerRow | null; by: string },
): void {
  const { repositories, commands, settings } = context;
  const { color } = contentOfBatch(to?.color ?? row.color, settings.current());
  for (const { id } of picks) {
    repositories.batches.setPickPicker({ picker: to?.name ?? null, id, now: tx.now });
    const command = repositories.commands.findByOwner({ kind: 'pick', id });
    if (command !== undefined) commands.setColor(tx, command, { color, by });
    else commands.endCurrent(tx, { kind: 'pick', id }, to?.name ?? row.picker);
  }
}

/** Saves the batch after its pickers changed, updates the slots of people who came or left, and publishes the state. */
function saveBatch(context: BatchesContext, tx: Transaction, row: BatchRow): void {
  const { repositories, alerts } = context;
  const after = { ...worked(alerts, tx, row), updatedAt: tx.now };
  repositories.batches.update(after, tx.now);
  lightHands(context, tx, after);
  tx.emit({ type: 'batch.changed', batch_id: row.id, state: row.state });
}

/**
 * Removes a person from a batch with several people. A helper's lines go to the picker of the batch. If the picker leaves, the first helper
 * becomes the picker and gets the picker's lines. Returns false if nobody else picks the batch, or if the person does not pick it.
 */
export function stepOut(context: BatchesContext, tx: Transaction, open: Open, name: string, by: string): boolean {
  const { batches } = context.repositories;
  const { row } = open;
  const helpers = batches.listHelpers(row.id);
  const picks = batches.listPicks(row.id);
  const others = helpers.filter((helper) => helper.name !== name);
  if (others.length < helpers.length) {
    setPickers(context.repositories, row, row, others);
    saveBatch(context, tx, row);
    assign(
      context,
      tx,
      open,
      picks.filter(({ picker }) => picker === name),
      { to: null, by },
    );
    return true;
  }
  const [next, ...rest] = helpers;
  if (row.picker !== name || next === undefined) return false;
  const after = { ...row, picker: next.name, color: next.color };
  setPickers(context.repositories, row, after, rest);
  saveBatch(context, tx, after);
  assign(
    context,
    tx,
    { row: after },
    picks.filter(({ picker }) => picker === null || picker === next.name),
    { to: null, by },
  );
  return true;
}

/** Removes all helpers and gives their lines to the picker of `after`. The caller must save `after`. */
export function joinAll(
  context: BatchesContext,
  tx: Transaction,
  { before, after: row }: Record<'before' | 'after', BatchRow>,
  by: string,
): void {
  const { batches } = context.repositories;
  const helpers = batches.listHelpers(row.id);
  setPickers(context.repositories, before, row, []);
  if (helpers.length === 0) return;
  assign(
    context,
    tx,
    { row },
    batches.listPicks(row.id).filter(({ picker }) => picker !== null),
    { to: null, by },
  );
}

/**
 * Pauses a batch and turns off its lights. Pieces in hand stay in hand. If one of several people pauses, only removes this person, like
 * `stepOut`. Returns a warning if the batch is already paused. Throws `not_found` or `conflict`.
 */
export function pauseBatch(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { by, picker }: Doer,
): string | undefined {
  const open = getBatch(context.repositories, id);
  const { state } = open.batch;
  if (state === 'paused') return `${open.row.carrierName} is already paused. Nothing was done.`;
  if (!isLaunched(open.batch))
    throw new StationError(
      'conflict',
      `${open.row.carrierName} ${STATES[state]}. Only what is being picked or sorted can be paused.`,
    );
  if (state === 'picking' && picker !== undefined && stepOut(context, tx, open, picker, by)) return undefined;
  if (picker !== undefined && open.row.picker === null) context.repositories.batches.setLeft(id, picker, true);
  apply(context, tx, open, { kind: 'paused' }, { by });
  return undefined;
}

/** Pauses the batches that a person is picking, except `but`, because a person picks one batch or order at a time. */
export function pausePicked(
  context: BatchesContext,
  tx: Transaction,
  picker: string,
  { by, but }: { by: string; but?: number },
): void {
  for (const id of context.repositories.batches.listPickedBy(picker))
    if (id !== but) pauseBatch(context, tx, id, { by, picker });
  leaveHeld(context, tx, picker, but);
}

/** Pauses the orders and batches that a person is picking, except `but`, because the person begins to work in that batch. */
export function pauseOtherWork(
  context: BatchesContext,
  tx: Transaction,
  name: string,
  { by, but }: { by: string; but: number },
): void {
  context.batchWork.pauseOthers(tx, name, by);
  pausePicked(context, tx, name, { by, but });
}

/** Leaves the person's hands in batches without a picker, which continue without this person. */
function leaveHeld(context: BatchesContext, tx: Transaction, name: string, but?: number): void {
  for (const id of context.repositories.batches.listHeldBy(name)) if (id !== but) leaveHand(context, tx, id, name);
}

function leaveHand(context: BatchesContext, tx: Transaction, id: number, name: string): void {
  const { batches } = context.repositories;
  if (batches.listLeft(id).includes(name)) return;
  batches.setLeft(id, name, true);
  saveBatch(context, tx, getBatch(context.repositories, id).row);
}

/** Lets a person who takes a hand pick the batch with the others, without lines, so that the slots of these pieces light. Pauses the person's other work. */
export function enlistHolder(
  context: BatchesContext,
  tx: Transaction,
  { row, batch }: Open,
  { name, by }: { name: string; by: string },
): void {
  const { accounts, batches } = context.repositories;
  const isIn = pickersOf(context.repositories, row).some((each) => each.name === name);
  batches.setLeft(row.id, name, false);
  if (name === '' || isIn || row.picker === null || batch.state !== 'picking') return;
  pauseOtherWork(context, tx, name, { by, but: row.id });
  const { color } = getPerson(accounts, name);
  setPickers(context.repositories, row, row, [...batches.listHelpers(row.id), { name, color }]);
  saveBatch(context, tx, row);
}

/** Pauses the carts that a person is picking with pieces in hand, so that nobody else's press puts these pieces. */
export function pauseHeld(context: BatchesContext, tx: Transaction, picker: string): void {
  for (const id of context.repositories.batches.listPickedBy(picker)) {
    const { batch } = getBatch(context.repositories, id);
    const isHolding = batch.hands.some(({ by, quantity }) => by === picker && quantity > 0);
    if (batch.kind === 'cart' && isHolding && isLaunched(batch)) pauseBatch(context, tx, id, { by: picker, picker });
  }
  leaveHeld(context, tx, picker);
}

/**
 * Removes a person from the batch. The person's open lines go to somebody else who picks the batch. If there is nobody else, the batch
 * pauses and has no picker. Pieces in hand stay with the person who leaves. A batch without a picker continues. Throws `not_found`, or
 * `conflict` if the person neither picks the batch nor, if the batch has no picker, holds pieces.
 */
export function leaveBatch(context: BatchesContext, tx: Transaction, id: number, { by, picker }: Doer): void {
  const open = getBatch(context.repositories, id);
  const name = context.repositories.accounts.findUser(picker ?? by)?.username;
  if (name !== undefined && stepOut(context, tx, open, name, by)) return;
  if (name !== undefined && context.repositories.batches.listHeldBy(name).includes(id))
    return leaveHand(context, tx, id, name);
  if (name === undefined || open.row.picker !== name)
    throw new StationError('conflict', `${name ?? by} is not picking ${open.row.carrierName}.`);
  giveTo(context, tx, open, { picker: null, color: null }, by);
}

/** Turns off the lights and makes one person the only picker of the batch, or leaves the batch without a picker if `picker` is null. */
export function giveTo(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  whose: { picker: string | null; color: string | null },
  by: string,
): void {
  const { row } = isLaunched(open.batch) ? apply(context, tx, open, { kind: 'paused' }, { by }) : open;
  const after = { ...row, ...whose };
  joinAll(context, tx, { before: row, after }, by);
  saveBatch(context, tx, after);
}

/**
 * Passes the lines of one of several people to another person. Throws `conflict` if that person already has these lines or is picking
 * something else.
 */
export function passOn(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  { from, to, isBusy, by }: { from: string; to: BatchPickerRow; isBusy: boolean; by: string },
): void {
  const { batches } = context.repositories;
  const { row } = open;
  const helpers = batches.listHelpers(row.id);
  const picks = batches.listPicks(row.id);
  if (from === to.name) throw new StationError('conflict', `${to.name} already has these lines. Name somebody else.`);
  const isIn = row.picker === to.name || helpers.some(({ name }) => name === to.name);
  if (isBusy && !isIn)
    throw new StationError(
      'conflict',
      `${to.name} picks something else, and others still pick ${row.carrierName}. ${to.name} can join it later.`,
    );
  const isMain = row.picker === from;
  const rest = helpers.filter(({ name }) => name !== to.name && name !== from);
  const toMain = isMain || row.picker === to.name;
  const after = isMain ? { ...row, picker: to.name, color: to.color } : row;
  setPickers(context.repositories, row, after, toMain ? rest : [...rest, to]);
  const isTheirs = ({ picker }: BatchPickRow): boolean =>
    picker === from || picker === to.name || (toMain && picker === null);
  saveBatch(context, tx, after);
  assign(context, tx, { row: after }, picks.filter(isTheirs), { to: toMain ? null : to, by });
}
