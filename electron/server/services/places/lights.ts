import { nameKey } from '#shared/lib/text/nameKey.ts';
import { findLabeledCell } from '#shared/lib/places/placeLabel.ts';
import type { Transaction } from '../../db/writer.ts';
import { DEVICE_TARGET, lostTarget, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { withPlace } from '../../domain/places/stationMap.ts';
import { deviceSettings } from '../base/index.ts';
import type { Batches } from '../batches/index.ts';
import type { CommandMoves } from '../commands/index.ts';
import {
  type ChangedLights,
  findByLocation,
  type FormerLight,
  type LightFollower,
  type SaidOfLights,
  type Target,
} from '../devices/index.ts';
import type { LineLights } from '../orders/index.ts';
import type { DarkPlaces } from './darkPlaces.ts';
import { save } from './mapChange.ts';
import type { MapContext } from './types.ts';

/** State shared by the functions that follow the lights of places. */
export type LightsContext = Pick<MapContext, 'repositories'> & {
  moves: CommandMoves;
  lineLights: LineLights;
  batches: Pick<Batches, 'relightPicks'>;
  darkPlaces: DarkPlaces;
};

/** Commands for a name, and the light that the name has now; undefined if no device serves it. */
type Addressed = { name: string; light: Target | undefined; commands: readonly QueuedCommand[] };

const PUT_AWAY = 'put_away:';

/**
 * Creates the function that moves work to the lights that its names have now. Goods stay at their names. Work for a DeviceID and launched
 * sequences stay with their device. Contract, section 20.
 */
export function createLightFollower(context: LightsContext): LightFollower {
  return (tx, changed) => followLights(context, tx, changed);
}

function followLights(context: LightsContext, tx: Transaction, { former, labeled, by }: ChangedLights): SaidOfLights {
  for (const deviceId of labeled) placeByLabel(context, tx, deviceId);
  const warnings = followNames(
    context,
    tx,
    former.map((each) => ({ ...each, becomes: each.name })),
    by,
  );
  for (const each of former) publishLight(context, tx, each, labeled);
  return { lost: context.darkPlaces.changed(tx, former), warnings };
}

/** Publishes the device that serves a name from now on without having changed, so that its lines from the template are written again. */
function publishLight(
  { repositories }: LightsContext,
  tx: Transaction,
  { name, light }: FormerLight,
  labeled: readonly string[],
): void {
  const deviceId = findByLocation(repositories, name)?.deviceId;
  if (deviceId === undefined || deviceId === light?.deviceId || labeled.includes(deviceId)) return;
  const row = repositories.devices.find(deviceId);
  if (row !== undefined) tx.emit({ type: 'device.changed', deviceid: deviceId, changed: deviceSettings(row) });
}

/** A name with its former light, and the name that the place has now. */
export type NamedBefore = FormerLight & { becomes: string };

/** Moves the work for these names to the lights that their places have now. Returns warnings. */
export function followNames(
  context: LightsContext,
  tx: Transaction,
  names: readonly NamedBefore[],
  by: string,
): string[] {
  // Find all commands before any of them moves, because devices may have exchanged their names.
  const addressed = names.map((each): Addressed => {
    const light = findByLocation(context.repositories, each.becomes);
    return { name: each.becomes, light, commands: commandsFor(context, each) };
  });
  return addressed.flatMap((each) => followName(context, tx, each, by));
}

/** Lists the commands for a name: those that its former light shows, and those that stayed where the name has no light any more. */
function commandsFor({ repositories, lineLights }: LightsContext, { name, light }: FormerLight): QueuedCommand[] {
  const { commands } = repositories;
  const key = nameKey(name);
  const isFor = ({ owner, target, deviceId }: QueuedCommand): boolean =>
    owner?.kind === 'item' ? !lineLights.isOfDevice(owner.id, deviceId) : owner === null && target !== DEVICE_TARGET;
  const shown = light === undefined ? [] : commands.listOfTarget(light.deviceId, light.target).filter(isFor);
  const left = commands.listWithTarget(lostTarget(key)).filter(({ target }) => target === lostTarget(key));
  const putAway = commands.listWithTarget(PUT_AWAY).filter(({ target }) => target.endsWith(`:${key}`));
  return [...shown, ...left, ...putAway];
}

/** Moves the work for a name. Returns warnings about what has no light now. */
function followName(
  { moves, lineLights, batches }: LightsContext,
  tx: Transaction,
  { name, light, commands }: Addressed,
  by: string,
): string[] {
  batches.relightPicks(tx, moves, { name, light, by });
  if (light !== undefined) {
    for (const command of commands) moves.follow(tx, command, light, by);
    lineLights.lightWaiting(tx, name, light, by);
    return [];
  }
  let dark = 0;
  let left = 0;
  for (const command of commands) {
    if (command.owner?.kind === 'item') {
      lineLights.darken(tx, command.owner.id, by);
      dark += 1;
    } else {
      moves.leave(tx, command, name);
      left += 1;
    }
  }
  const device = commands[0]?.deviceId ?? '';
  return [
    ...(dark === 0
      ? []
      : [`No device serves ${name} now: ${counted(dark, 'line')} there ${dark === 1 ? 'has' : 'have'} no light.`]),
    ...(left === 0
      ? []
      : [
          `No device serves ${name} now: ${counted(left, 'command')} for it ${left === 1 ? 'stays' : 'stay'} at ${device}.`,
        ]),
  ];
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** Moves a device on the map to the cell of its label, if this cell exists and no other device had the label first. */
export function placeByLabel(context: LightsContext, tx: Transaction, deviceId: string): void {
  const { devices, map } = context.repositories;
  const row = devices.find(deviceId);
  if (row === undefined || row.label === '' || devices.isSlot(deviceId)) return;
  if (devices.listByLabel(row.label, 1)[0] !== deviceId) return;
  const before = map.get();
  const cell = findLabeledCell(before.racks, row.label);
  if (cell === undefined) return;
  save(context, tx, withPlace(before, { deviceid: deviceId, ...cell }));
}
