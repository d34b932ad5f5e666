import type { Invoked, Invoker } from './commandInvoker.ts';
import type { CommandTarget } from './topics.ts';
import { isObject } from './isObject.ts';

/**
 * The fields that say how far a command has come. `state` is undefined if the answer to the command has none, such as for statics. The ids
 * are set if the command has been replaced, or moved to another device.
 */
export type Progress = { state?: string; delivery?: string; deviceid?: string; command_id?: string };

/** Finds the open command with this id, or the command with the same content that replaced it. */
export type FindOpen = (commandId: number) => { id: number; deviceId: string } | undefined;

/** States in which a command, an order or a sequence is not finished. */
const OPEN: ReadonlySet<unknown> = new Set([
  'queued',
  'sent',
  'shown',
  'open',
  'in_progress',
  'in-progress',
  'stalled',
]);

export function isOpen({ state }: Progress): boolean {
  return OPEN.has(state);
}

/** Returns the current state of what a command has lit, created or launched, as its first answer names it. */
export async function stateNow(
  { invoke, findOpen }: Pick<Invoker, 'invoke'> & { findOpen: FindOpen },
  { kind }: CommandTarget,
  answer: Invoked['body'],
): Promise<Progress> {
  if (!isObject(answer)) return {};
  const { command_id: commandId, order_number: number, sequenceid } = answer;
  if (kind === 'order')
    return stateIn(await invoke('getOrder', { params: { order_number: String(number) } }), 'removed');
  if (kind === 'sequence')
    return stateIn(await invoke('getSequence', { params: { seqID: String(sequenceid) } }), 'removed');
  if (typeof commandId !== 'string') return {};
  const open = findOpen(Number(commandId));
  if (open === undefined) return { state: 'ended' };
  const now = { deviceid: open.deviceId, command_id: String(open.id) };
  const { body } = await invoke('getDevice', { params: { DeviceID: now.deviceid } });
  const commands: unknown = isObject(body) ? body['commands'] : undefined;
  const command: unknown = Array.isArray(commands)
    ? commands.find((one: unknown) => isObject(one) && one['command_id'] === now.command_id)
    : undefined;
  if (!isObject(command)) return { state: 'ended' };
  return { ...now, state: String(command['state']), delivery: String(command['delivery']) };
}

function stateIn({ status, body }: Invoked, missing: string): Progress {
  return { state: status < 300 && isObject(body) ? String(body['state']) : missing };
}
