import { BARE_CONTENT, type CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import { OFF } from '#shared/led/color.ts';
import type { BatchRow, BatchPickRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import { slotLight, type SlotLight } from '../../domain/batches/lights.ts';
import { isLaunched, openOf } from '../../domain/batches/shares.ts';
import type { BatchContent, Share, Slot } from '../../domain/batches/types.ts';
import { lookOf, quantityOf } from '../../domain/commands/commandQueue.ts';
import { findById, pointed } from '../devices/index.ts';
import { contentOfBatch, contentOfItem } from '../orders/index.ts';
import type { BatchesContext } from './types.ts';

/** How long the LED of a complete slot stays green, after completion and after each press. The text stays until the slot is freed. */
const COMPLETE_SECONDS = 600;

const COLORS = { complete: 'green', short: 'white', stopped: 'red' } as const;
const WORDS = { complete: 'COMPLETE', short: 'COMPLETE, SHORT', stopped: 'STOPPED: EMPTY IT' } as const;

/** Updates the lights of a batch: at the places to pick from, and at the slots. Call inside a transaction. */
export function lightBatch(
  context: BatchesContext,
  tx: Transaction,
  row: BatchRow,
  { before, after, isLaunch }: { before: BatchContent; after: BatchContent; isLaunch: boolean },
): void {
  const sharesBefore = new Map(before.shares.map((share) => [share.id, share.pickId]));
  const pickBefore = ({ id }: Share): (number | null)[] => [sharesBefore.get(id) ?? null];
  const { batches } = context.repositories;
  const was = new Set(before.shares);
  const changed = new Set(
    after.shares.flatMap((share) => (was.has(share) ? [] : [share.pickId, ...pickBefore(share)])),
  );
  const isAll = before.state !== after.state || isLaunch;
  const picks = isAll ? batches.listPicks(row.id) : [...changed].flatMap((id) => (id && batches.findPick(id)) || []);
  const waiting = Map.groupBy(isLaunched(after) ? after.shares.filter((share) => openOf(share) > 0) : [], pickIdOf);
  for (const pick of picks) lightPick(context, tx, row, pick, waiting.get(pick.id) ?? []);
  const absent = absentFrom(batches, row, after);
  const slotsBefore = new Map(before.slots.map((slot) => [slot.slot, slot]));
  for (const slot of after.slots) {
    const was = slotsBefore.get(slot.slot);
    const wasLit = was === undefined ? undefined : slotLight(before, was);
    const light = slotLight(after, slot, absent);
    // Skip slots that stay unlit: a large cart has hundreds of slots, and each would cost a query.
    if (light !== undefined || wasLit !== undefined) lightSlot(context, tx, row, slot, { light, before: wasLit });
  }
}

/** Updates the slots after the people of a batch have changed, because pieces of people who left light nothing. */
export function lightHands(context: BatchesContext, tx: Transaction, row: BatchRow): void {
  const batch = context.repositories.batches.read(row);
  if (!isLaunched(batch) || batch.kind !== 'cart' || batch.hands.length === 0) return;
  const absent = absentFrom(context.repositories.batches, row, batch);
  const names = new Set(batch.shares.map(({ slot }) => slot));
  for (const slot of batch.slots) {
    if (slot.state !== 'open' || !names.has(slot.slot)) continue;
    lightSlot(context, tx, row, slot, { light: slotLight(batch, slot, absent), before: undefined });
  }
}

/**
 * Returns the people who hold pieces of a cart but no longer pick its batch. If the batch has no picker, anybody can act for it, so only
 * people who left it are absent.
 */
export function absentFrom(
  batches: Pick<BatchesContext['reads']['batches'], 'listHelpers' | 'listLeft'>,
  { id, picker }: Pick<BatchRow, 'id' | 'picker'>,
  { kind, hands }: Pick<BatchContent, 'kind' | 'hands'>,
): Set<string> {
  if (kind !== 'cart' || hands.length === 0) return new Set();
  const left = picker === null ? new Set(batches.listLeft(id)) : undefined;
  const present = new Set(['', picker, ...batches.listHelpers(id).map(({ name }) => name)]);
  return new Set(hands.flatMap(({ by }) => (present.has(by) || left?.has(by) === false ? [] : [by])));
}

const pickIdOf = ({ pickId }: Share): number | null => pickId;

/** Shows the number of open pieces of a pick at its place, or turns the light off if no pieces are open. */
export function lightPick(
  context: BatchesContext,
  tx: Transaction,
  row: BatchRow,
  pick: BatchPickRow,
  shares: readonly Share[],
): void {
  const { commands, repositories, settings } = context;
  const owner = { kind: 'pick', id: pick.id, of: String(row.id), name: row.carrierName } as const;
  const sum = shares.reduce((pieces, share) => pieces + openOf(share), 0);
  if (sum === 0) commands.endCurrent(tx, { kind: 'pick', id: pick.id });
  if (pick.deviceId === null) return;
  const command = repositories.commands.findByOwner(owner);
  if (sum === 0) {
    if (command !== undefined) commands.withdraw(tx, owner, row.picker ?? '');
    return;
  }
  if (command !== undefined) {
    if (command.content.quantity !== sum)
      commands.showRest(tx, command, { quantity: sum, by: row.picker ?? '', base: 0 });
    return;
  }
  const [first] = shares;
  const item = first === undefined ? undefined : repositories.items.find(first.itemId);
  const target = findById(repositories, pick.deviceId);
  if (item === undefined || target === undefined) return;
  const common = contentOfBatch(colorOf(repositories, row, pick.picker), settings.current());
  const place = { ...target, target: pick.target, alias: pick.alias };
  const name = pick.alias === '' ? target.label : pick.alias;
  const { content, arrowAdded } = pointed({ ...contentOfItem(common, item, name), quantity: sum }, place);
  commands.send(tx, {
    deviceId: pick.deviceId,
    target: pick.target,
    alias: pick.alias,
    label: target.label,
    nonce: '',
    content,
    arrowAdded,
    sender: row.picker ?? '',
    owner,
    base: 0,
  });
}

/** Returns the color of a person's lines, or null for the default color. `picker` is null for the picker of the batch. */
export function colorOf(
  { batches }: Pick<BatchesContext['reads'], 'batches'>,
  { id, color }: Pick<BatchRow, 'id' | 'color'>,
  picker: string | null,
): string | null {
  return picker === null ? color : (batches.listHelpers(id).find(({ name }) => name === picker)?.color ?? color);
}

/** Lights a slot again after a press, even if its content is unchanged. */
export function lightSlotAgain(
  context: BatchesContext,
  tx: Transaction,
  row: BatchRow,
  batch: BatchContent,
  name: string,
): void {
  const slot = batch.slots.find((each) => each.slot === name);
  if (slot !== undefined)
    lightSlot(context, tx, row, slot, {
      light: slotLight(batch, slot, absentFrom(context.repositories.batches, row, batch)),
      before: undefined,
    });
}

/** Keeps the text of a complete slot on its display after the LED timed out. */
export function dimSlot(
  context: BatchesContext,
  tx: Transaction,
  row: BatchRow,
  batch: BatchContent,
  name: string,
): void {
  const slot = batch.slots.find((each) => each.slot === name);
  const light = slot && slotLight(batch, slot);
  const id = context.repositories.batches.findSlotId(row.id, name);
  if (id === undefined || light === undefined || !isOver(light)) return;
  showSlot(context, tx, row, {
    slot: name,
    id,
    light,
    content: { ...contentOf(context, row, light), color: OFF, seconds: 0 },
  });
}

function isOver({ kind }: SlotLight): boolean {
  return kind === 'complete' || kind === 'short';
}

/**
 * Lights or clears a slot. Unlike other lights, the light of a complete or short slot is not sent again after its command has ended.
 * `before` is the previous light.
 */
function lightSlot(
  context: BatchesContext,
  tx: Transaction,
  row: BatchRow,
  { slot }: Slot,
  { light, before }: { light: SlotLight | undefined; before: SlotLight | undefined },
): void {
  const { commands, repositories } = context;
  const id = repositories.batches.findSlotId(row.id, slot);
  if (id === undefined) return;
  const owner = { kind: 'slot', id, of: String(row.id), name: row.carrierName } as const;
  const command = repositories.commands.findByOwner(owner);
  const content = light === undefined ? undefined : contentOf(context, row, light);
  if (command !== undefined) {
    // A press puts the pieces of one person, so the same pieces of another person are another light.
    const isTheirs = light?.kind !== 'put' || command.sender === light.by;
    const isSame = content !== undefined && lookOf(command.content) === lookOf(content) && isTheirs;
    if (isSame && quantityOf(command) === content.quantity) return;
    if (isDimmed(command.content, content)) return;
    commands.withdraw(tx, owner, row.picker ?? '');
  }
  if (content === undefined || light === undefined || (isOver(light) && before?.kind === light.kind)) return;
  showSlot(context, tx, row, { slot, id, light, content });
}

/** Whether the shown content is `wanted` with the LED off, as `dimSlot` leaves it. */
function isDimmed(shown: CommandContent, wanted: CommandContent | undefined): boolean {
  return wanted !== undefined && lookOf(shown) === lookOf({ ...wanted, color: OFF, seconds: 0 });
}

function showSlot(
  { commands, repositories }: BatchesContext,
  tx: Transaction,
  row: BatchRow,
  { slot, id, light, content }: { slot: string; id: number; light: SlotLight; content: CommandContent },
): void {
  const owner = { kind: 'slot', id, of: String(row.id), name: row.carrierName } as const;
  const sides = isOver(light) ? (['back', 'front'] as const) : (['front', 'back'] as const);
  const [deviceId] = sides.flatMap((side) => repositories.carriers.findDeviceAt(row.carrierId, slot, side) ?? []);
  if (deviceId === undefined) return;
  commands.send(tx, {
    deviceId,
    target: 'device',
    alias: '',
    label: repositories.devices.find(deviceId)?.label ?? '',
    nonce: '',
    content,
    arrowAdded: false,
    sender: senderOf(row, light),
    owner,
  });
}

/** Returns the person whose pieces a slot shows or, if it shows none, the picker of the batch. */
function senderOf({ picker }: BatchRow, light: SlotLight | undefined): string {
  return light?.kind === 'put' ? light.by : (picker ?? '');
}

function contentOf({ repositories, settings }: BatchesContext, row: BatchRow, light: SlotLight): CommandContent {
  if (light.kind === 'put') {
    // Use each person's color, except for the picker of the batch, whose color a launch can change.
    const isMain = row.mode === 'cart' && light.by === row.picker;
    const own = isMain ? undefined : repositories.accounts.findUser(light.by)?.color;
    const common = contentOfBatch(own ?? row.color, settings.current());
    return { ...common, lines: [light.text], quantity: light.quantity };
  }
  const seconds = light.kind === 'stopped' ? 0 : COMPLETE_SECONDS;
  return { ...BARE_CONTENT, lines: [WORDS[light.kind], light.text], color: COLORS[light.kind], seconds };
}

/**
 * Shows `lines` for a few seconds on a slot device that is not lit. The LED turns red if nothing in hand belongs in the slot, otherwise it
 * stays off.
 */
export function flashSlot(
  { commands, repositories }: BatchesContext,
  tx: Transaction,
  deviceId: string,
  { isWrong, lines, by }: { isWrong: boolean; lines: readonly string[]; by: string },
): void {
  if (repositories.commands.findFirst(deviceId) !== undefined) return;
  commands.send(tx, {
    deviceId,
    target: 'device',
    alias: '',
    label: repositories.devices.find(deviceId)?.label ?? '',
    nonce: '',
    content: {
      ...BARE_CONTENT,
      lines: [...lines],
      color: isWrong ? 'red' : OFF,
      seconds: isWrong ? WRONG_SECONDS : SHOW_SECONDS,
    },
    arrowAdded: false,
    sender: by,
  });
}

const WRONG_SECONDS = 2;
const SHOW_SECONDS = 5;
