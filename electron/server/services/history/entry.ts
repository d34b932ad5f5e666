import type { HistoryEntry } from '#shared/api/history.ts';
import type { HistoryDetail, HistoryRow } from '../../db/repositories/history.ts';
import type { OpenState, Owner } from '../../domain/commands/commandQueue.ts';
import { commandDelivery, type Outage } from '../../domain/devices/outage.ts';

/** Converts a history row to its API form. */
export function historyEntry(row: HistoryRow): HistoryEntry {
  const { content, sender = '', by = '', sentAt = null, shownAt = null } = row.detail;
  const { unreachableAt = null, reachedAt = null } = row.detail;
  return {
    id: String(row.id),
    at: new Date(row.at).toISOString(),
    kind: row.kind,
    deviceid: row.deviceId,
    command_id: row.commandId === null ? null : String(row.commandId),
    nonce: row.nonce,
    location: row.location,
    qty: row.qty,
    sender,
    by,
    for: row.detail.for ?? '',
    command: content?.command ?? null,
    lines: content === undefined ? [] : content.lines.filter((line) => line !== ''),
    quantity: content?.quantity ?? null,
    color: content?.color ?? '',
    delivery: content === undefined ? null : commandDelivery(stateOf(row.detail), outageOf(row.detail)),
    sent_at: sentAt,
    shown_at: shownAt,
    unreachable_at: unreachableAt,
    reached_at: reachedAt,
    ...workNames(row.work),
    other_deviceid: row.detail.otherDevice ?? null,
    alert: row.detail.alert === undefined ? null : { about: null, ...row.detail.alert },
    reason: row.detail.reason ?? '',
    batch: row.detail.batch ?? batchOf(row.work),
    changed: [...(row.detail.changed ?? [])],
    item_id: row.detail.item?.id ?? row.detail.shown?.item ?? null,
    item: row.detail.item ?? null,
    ...(row.detail.presses === undefined ? {} : { presses: row.detail.presses }),
  };
}

/** Returns the order number or sequence id from the `work` text of a row. The field that does not apply is null. */
export function workNames(work: string | null | undefined): Pick<HistoryEntry, 'sequenceid' | 'order_number'> {
  const owner = ownerOf(work);
  return {
    sequenceid: owner?.kind === 'step' ? owner.of : null,
    order_number: owner?.kind === 'item' ? owner.of : null,
  };
}

/** Returns the batch in the `work` text of a light, without name and slot. Returns null if the light does not belong to a batch. */
export function batchOf(work: string | null | undefined): HistoryEntry['batch'] {
  const owner = ownerOf(work);
  return owner?.kind === 'pick' ? { id: Number(owner.of), name: '', slot: null } : null;
}

/** Returns the owner of a command, as far as the `work` text of a history row records it. */
export function ownerOf(work: string | null | undefined): Owner | null {
  if (work === null || work === undefined) return null;
  const colon = work.indexOf(':');
  const kind = work.startsWith('sequence:') ? 'step' : work.startsWith('batch:') ? 'pick' : 'item';
  return { kind, id: 0, of: work.slice(colon + 1) };
}

export function outageOf({ unreachableAt, reachedAt }: HistoryDetail): Outage | null {
  const since = timeOf(unreachableAt);
  return since === null ? null : { since, until: timeOf(reachedAt) };
}

export function stateOf(detail: HistoryDetail): OpenState {
  const firstAt = timeOf(detail.firstAt);
  const sentAt = timeOf(detail.sentAt);
  const shownAt = timeOf(detail.shownAt);
  if (shownAt !== null) return { kind: 'shown', firstAt, sentAt, shownAt };
  return sentAt === null ? { kind: 'queued', firstAt } : { kind: 'sent', firstAt, sentAt };
}

export function timeOf(iso: string | null | undefined): number | null {
  return iso === null || iso === undefined ? null : Date.parse(iso);
}

/** Parses an id from the API. Returns undefined if the text is not an id. */
export function numberOf(id: string): number | undefined {
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
