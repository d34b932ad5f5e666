import type { HistoryRow } from '../../db/repositories/history.ts';
import type { Transaction } from '../../db/writer.ts';
import { isFirst, quantityOf, workOf, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { isEarly } from '../../domain/commands/earlyPress.ts';
import type { When } from '../../domain/orders/formerPickers.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { showNext, labelOf, removeFromQueue, notifyOwner, writeCallback } from './queue.ts';
import { endedLine } from './screens.ts';
import { sendAdjusted, noteAdjusted, replace } from './sending.ts';
import { lineOwnerOf } from './wantedLine.ts';
import type { Adjusting, CommandPress, FrontPress, CommandContext, Recorded } from './types.ts';

/**
 * The screen that somebody pressed. `command` is the open command for which the press counts, possibly the replacement of the pressed
 * command, or undefined if the light is off. In that case, `ended` tells how the pressed command ended. `asked` is the item's
 * ordered quantity at the time of a screen that was replaced or ended, or null if it has not changed since.
 */
type Pressed = {
  command: QueuedCommand | undefined;
  ended: HistoryRow | undefined;
  quantity: number | null;
  base: number | null;
  asked: number | null;
};

/**
 * Finds the command for which a press counts. If the pressed command was replaced, the press counts for the replacement. If the command of
 * a line was killed or timed out, the press counts for the line's current command.
 */
export function findPressed(context: CommandContext, deviceId: string, token: number): Pressed | undefined {
  const { commands, history } = context.repositories;
  const open = commands.find(token);
  if (open !== undefined) {
    if (open.deviceId !== deviceId) return undefined;
    return { command: open, ended: undefined, quantity: quantityOf(open), base: open.base, asked: null };
  }
  const first = history.findEnd(token);
  if (first?.deviceId !== deviceId) return undefined;
  const { adjusted, content, shown } = first.detail;
  const base = shown?.base ?? null;
  const { item } = shown ?? {};
  // A change of the line writes its row just before it replaces the command.
  const asked = item === undefined ? undefined : history.findOrderedBefore(first.work ?? '', item, first.id - 1);
  const show = { quantity: adjusted ?? content?.quantity ?? null, base, asked: asked ?? null };
  for (let ended: HistoryRow | undefined = first; ended !== undefined;) {
    if (ended.kind !== 'replaced') return ofLine(context, ended, show);
    const id = history.findSuccessor(ended.commandId ?? token);
    if (id === undefined) return undefined;
    const command = commands.find(id);
    if (command !== undefined)
      return command.deviceId === deviceId ? { command, ended: undefined, ...show } : undefined;
    ended = history.findEnd(id);
    if (ended?.deviceId !== deviceId) return undefined;
  }
  return undefined;
}

/**
 * Finds the line of a command that was killed or timed out. Returns undefined if the line got another article or place since then, or was closed,
 * even if it was reopened, because the press happened before that. Searches from one history row earlier, because a short writes its row
 * just before it kills the command.
 */
function ofLine(
  { repositories }: CommandContext,
  ended: HistoryRow,
  show: Pick<Pressed, 'quantity' | 'base' | 'asked'>,
): Pressed | undefined {
  const { shown, pick } = ended.detail;
  if (ended.kind !== 'killed' && ended.kind !== 'timedOut') return undefined;
  // A pick of a batch counts one press. After that, the pick has no command, and the batch books nothing.
  if (pick !== undefined)
    return { command: repositories.commands.findByOwner({ kind: 'pick', id: pick }), ended, ...show };
  if (shown === undefined) return undefined;
  const { history } = repositories;
  if (history.wasClosed(ended.work ?? '', shown.item, ended.id - 1)) return undefined;
  if (history.wasExchanged(ended.work ?? '', shown.item, { id: ended.id })) return undefined;
  const command = repositories.commands.findByOwner({ kind: 'item', id: shown.item });
  // What was taken at the former place is not taken from the new one.
  if (command?.deviceId !== ended.deviceId && history.wasPlaced(ended.work ?? '', shown.item, ended.id))
    return undefined;
  return { command, ended, ...show };
}

/**
 * Acknowledges the command `token` or, if its light is off, the open line for which it was lit. Returns false if the press was late because
 * the line has ended.
 */
export function acknowledge(
  context: CommandContext,
  tx: Transaction,
  { deviceId, token, at, qty, by, for: whom, reason }: CommandPress,
): boolean {
  const pressed = findPressed(context, deviceId, token);
  if (pressed === undefined) return false;
  const { command, ended: before, base, asked } = pressed;
  const counted = qty ?? pressed.quantity ?? 0;
  const extra = { by, ...(whom === undefined ? {} : { for: whom }), ...(reason === undefined ? {} : { reason }) };
  if (command === undefined) return bookDark(context, tx, before, { at, qty: counted, base, asked, ...extra });
  const ended = removeFromQueue(context, tx, command, { kind: 'pressed', at, qty: counted }, extra);
  if (isFirst(command)) showNext(context, tx, command.deviceId);
  writeCallback(context, tx, ended, 'ack', counted);
  const command_id = String(command.id);
  const { deviceId: deviceid } = command;
  tx.emit({ type: 'command.acknowledged', deviceid, command_id, at: isoTime(at), qty: counted, by });
  notifyOwner(context, tx, { ...ended, base, asked }, true);
  if (command.owner === null)
    context.directPressed(tx, { command, qty: counted, by, location: ended.recorded.location });
  return true;
}

/** Books a press for an open line that is not lit. Returns false if the line has ended. */
function bookDark(
  { repositories, ownerPressed }: CommandContext,
  tx: Transaction,
  ended: HistoryRow | undefined,
  press: {
    at: number;
    qty: number;
    base: number | null;
    asked: number | null;
    by: string;
    for?: string;
    reason?: string;
  },
): boolean {
  const pick = ended?.detail.pick;
  const item = pick ?? ended?.detail.shown?.item;
  if (ended === undefined || item === undefined) return false;
  const { at, qty, base, asked, ...extra } = press;
  const record = (): Recorded => {
    const { id: _id, detail, ...row } = ended;
    // Record the device's current label, as for every press.
    const location = detail.target === 'device' ? labelOf(repositories.devices, row.deviceId) : row.location;
    const committed = { ...detail, ...extra, committedAt: isoTime(tx.now) };
    const booked = { ...row, at, kind: 'acknowledged', qty, location, detail: committed } as const;
    return { historyId: repositories.history.insert(booked), at, location };
  };
  const { deviceId, work } = ended;
  return ownerPressed(tx, {
    kind: pick === undefined ? 'item' : 'pick',
    itemId: item,
    work: work ?? '',
    deviceId,
    qty,
    base,
    asked,
    by: press.by,
    for: press.for,
    reason: press.reason,
    record,
  });
}

/** Describes the screen of a press that was not booked, and names the person who had the line at the time of the press. */
export function describeLate(
  { repositories, ownerPicker, slotName }: CommandContext,
  token: number,
  when: When,
): { location: string; quantity: number | null; picker: string | null } {
  const ended = repositories.history.findEnd(token);
  const { adjusted = null, content, litSlot, sender = '' } = ended?.detail ?? {};
  const line = ended && endedLine(ended);
  // A slot shows pieces of its command's sender. Name that person only if the light was turned off, not after a press that put the pieces.
  const quantity = adjusted ?? content?.quantity ?? null;
  const isTold = ended?.kind === 'killed' && quantity !== null && sender !== '';
  const slot = litSlot === undefined || !isTold ? undefined : slotName(litSlot);
  const picker = (slot === undefined ? line && ownerPicker(line, when) : sender) ?? null;
  return { location: slot ?? ended?.location ?? '', quantity, picker };
}

/** Returns the item of an open or ended command, or undefined if the command has no item. */
export function itemOf({ repositories }: CommandContext, token: number): number | undefined {
  const open = repositories.commands.find(token);
  if (open !== undefined) return open.owner?.kind === 'item' ? open.owner.id : undefined;
  return repositories.history.findEnd(token)?.detail.shown?.item;
}

/** Returns the pick of a batch of an open or ended command, or undefined if the command has none. */
export function pickOf({ repositories }: Pick<CommandContext, 'repositories'>, token: number): number | undefined {
  const open = repositories.commands.find(token);
  if (open !== undefined) return open.owner?.kind === 'pick' ? open.owner.id : undefined;
  return repositories.history.findEnd(token)?.detail.pick;
}

/** Stores the quantity that the worker set on the device. Returns false if the command has ended. */
export function adjust(
  context: CommandContext,
  tx: Transaction,
  { deviceId, token, at, quantity }: Adjusting,
): boolean {
  const pressed = findPressed(context, deviceId, token);
  const command = pressed?.command;
  if (pressed === undefined || command === undefined) return false;
  // A device counts by itself while it shows a command, so only a new token replaces its count.
  if (command.id === token)
    noteAdjusted(context, tx, command, { adjusted: quantity, base: command.base }, { at, by: 'device' });
  else {
    // Subtract the pieces that were booked since this screen was shown.
    const since = pressed.base === null || command.base === null ? 0 : command.base - pressed.base;
    const left = Math.max(0, quantity - since);
    const change = quantityOf(command) === left ? noteAdjusted : sendAdjusted;
    change(context, tx, command, { adjusted: left, base: command.base }, { at, by: 'device' });
  }
  return true;
}

/**
 * Refuses a press on the front of a device if the press is too early to be meant for the line of `token`: books nothing, and lights the
 * pressed command again if it is still open. At a slot of a batch, only a bounce is too early. Returns whether the press was refused.
 */
export function refuseEarly(
  context: CommandContext,
  tx: Transaction,
  { deviceId, token, quantity, ...times }: FrontPress,
): boolean {
  const { at } = times;
  const { repositories, shownLines, ownerOpen, ownerPicker } = context;
  const { command, ended } = findPressed(context, deviceId, token) ?? {};
  const line = command === undefined ? ended && endedLine(ended) : lineOwnerOf(command);
  const isSlot = command?.owner?.kind === 'slot';
  if (line === undefined && !isSlot) return false;
  // A press for a closed line is late, not early.
  if (line !== undefined && command === undefined && !ownerOpen(line)) return false;
  const device = repositories.devices.find(deviceId);
  const shown = line === undefined ? NOT_NEXT : shownLines.find(deviceId, line);
  if (!isEarly({ ...times, ...shown, hasScreen: device?.screen === 1 })) return false;
  const location = command?.alias || (device?.label ?? '');
  const work = workOf(command?.owner ?? null) ?? ended?.work ?? null;
  repositories.history.insert({
    at,
    kind: 'early',
    deviceId,
    commandId: token,
    nonce: '',
    location,
    qty: quantity ?? 0,
    work,
    detail: { button: 'front' },
  });
  const [, batch] = /^batch:(\d+)$/.exec(work ?? '') ?? [];
  tx.emit({
    type: 'press.early',
    deviceid: deviceId,
    at: isoTime(at),
    location,
    item_id: line?.kind === 'item' ? line.id : null,
    ...(batch === undefined ? {} : { batch_id: Number(batch) }),
    picker: (line && ownerPicker(line, { at, now: tx.now })) ?? null,
  });
  if (command?.id === token) lightAgain(context, tx, command, { at, quantity });
  return true;
}

/** What a slot of a batch counts as: the next line of nobody. */
const NOT_NEXT = { before: 'none', shownAt: null } as const;

/** Lights a command again, because the device returned to its background after the press. */
function lightAgain(
  context: CommandContext,
  tx: Transaction,
  command: QueuedCommand,
  { at, quantity }: Pick<FrontPress, 'at' | 'quantity'>,
): void {
  const { content, arrowAdded, sender, createdAt, base } = command;
  const adjusted = quantity !== null && quantity !== quantityOf(command) ? quantity : command.adjusted;
  const adjustment = adjusted === command.adjusted ? command.adjustment : { at, by: 'device' };
  replace(context, tx, command, { content, arrowAdded, sender, createdAt, base, adjusted, adjustment }, 'device');
}
