import { keyOf, labeled, SENDER } from './naming.ts';
import type { Oracle } from './oracle.ts';
import { itemsOf, type ModelItem, type ModelOrder } from './orderState.ts';
import type { Moment } from './reports.ts';
import { nothingShown, type ModelCommand, type ModelDevice } from './state.ts';

/**
 * Gives a device another label (contract, section 20): commands and lines that name the old or the new label go to the device that has it
 * now, to the end of its queue. If no device has it, lines become dark and direct commands stay. Waiting lines are lit. Steps and work for a
 * DeviceID stay.
 */
export function relabel(oracle: Oracle, device: ModelDevice, label: string, now: Moment): void {
  const names = [...new Set([device.label, label])].filter((name) => name !== '');
  const former = names.map((name) => ({ name, was: labeled(oracle, name) }));
  device.label = label;
  device.labeledAt = 1 + Math.max(...[...oracle.devices.values()].map(({ labeledAt }) => labeledAt));
  const addressed = former.map(({ name, was }) => ({
    name,
    light: labeled(oracle, name),
    commands: [...(was?.queue.filter(isForLabel) ?? []), ...lost(oracle, name)],
  }));
  for (const { name, light, commands } of addressed) {
    for (const command of commands) {
      if (light !== undefined) follow(oracle, command, light, now);
      else if (command.owner?.kind === 'item') oracle.orders.darken(command.owner.item, SENDER, now);
      else Object.assign(command, { address: `lost ${keyOf(name)}`, alias: name });
    }
    if (light !== undefined)
      for (const item of waiting(oracle, name)) oracle.orders.lightNamed(item, light, SENDER, now);
  }
}

function isForLabel({ owner, address }: ModelCommand): boolean {
  return address === 'label' && owner?.kind !== 'step';
}

function lost({ devices }: Oracle, name: string): ModelCommand[] {
  return [...devices.values()]
    .flatMap(({ queue }) => queue)
    .filter(({ address }) => address === `lost ${keyOf(name)}`)
    .toSorted((a, b) => a.id - b.id);
}

function follow(oracle: Oracle, command: ModelCommand, light: ModelDevice, now: Moment): void {
  const from = oracle.owners.get(command.id);
  const { id: old } = command;
  Object.assign(command, { address: 'label', alias: '' });
  if (from === undefined || from === light) return;
  oracle.replaced(from, command, now.wallMs, SENDER);
  const id = oracle.newId(light);
  oracle.lines.moved(old, id);
  oracle.movedAway.add(old);
  Object.assign(command, { id, ...nothingShown() });
  if (light.queue.length === 0) Object.assign(command, { firstAt: now.wallMs, firstMono: now.monoMs });
  if (command.owner?.kind === 'item') {
    command.owner.item.deviceId = light.id;
    oracle.currents.lit(command.owner.item, light);
  }
  light.queue.push(command);
  oracle.leave(from, command, now);
}

/** Lists the lines without a light that are to be picked at this place: first those of pickers, then those of nobody. */
function waiting({ orders }: Oracle, name: string): ModelItem[] {
  const names = ({ given: { deviceid, warehouse_location: place, SKU, UPC, name: text } }: ModelItem): boolean =>
    !(typeof deviceid === 'string' && place === undefined) &&
    [place, SKU, UPC, text].some((each) => typeof each === 'string' && keyOf(each) === keyOf(name));
  const isPaused = ({ pickers }: ModelOrder, picker: string | null): boolean =>
    pickers.some((each) => each.paused && each.name === picker);
  const all = [...orders.all.values()]
    .filter(({ state }) => state === 'in_progress')
    .flatMap(itemsOf)
    .filter((item) => names(item) && !isPaused(item.of.of, item.picker))
    .toSorted((a, b) => a.id - b.id);
  return [
    ...all.filter(({ state, noLight }) => state === 'active' && noLight),
    ...all.filter(({ state, unassigned }) => state === 'open' && unassigned),
  ];
}
