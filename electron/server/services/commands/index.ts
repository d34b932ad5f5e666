import { createAlarm } from '../../scheduling/alarm.ts';
import type { CoreOf } from '../../core.ts';
import type { Turbos } from '../../ports.ts';
import type { Callbacks } from '../callbacks/index.ts';
import { createCommands } from './commands.ts';
import { createCurrentLines } from './currentLines.ts';
import { createCommandMoves } from './moves.ts';
import { createOperatorActions } from './operatorActions.ts';
import { createCommandOwners } from './owners.ts';
import { createPreviews } from './previews.ts';
import { createReach } from './reach.ts';
import { createRequests } from './requests.ts';
import { createShownLines } from './shownLines.ts';
import type { Devices, Display, Telemetry } from '../devices/index.ts';

import type { CommandContext } from './types.ts';

export type { CurrentLines } from './currentLines.ts';
export type { Commands } from './commands.ts';
export type { DarkPress, DirectPress, OwnedEnd } from './types.ts';
export { findOpenCommand, labelOf } from './queue.ts';
export { lineOwnerOf } from './wantedLine.ts';
export type { CommandMoves } from './moves.ts';
export { EMPTY_TARGET, isWork, SHOW_STOCK_TARGET } from '../../domain/commands/commandQueue.ts';
export type { OperatorActions } from './operatorActions.ts';
export type { CommandOwners, ShownWork } from './owners.ts';
export type { Previews } from './previews.ts';
export type { Reach } from './reach.ts';
export {
  type Asked,
  type BulkElement,
  type RequestDefaults,
  type Requests,
  inWords,
  refuseFaults,
  understand,
} from './requests.ts';

const RETRY_MS = 60_000;

/** Creates the command queues, the requests that fill them, and the operator actions that replace a press. */
export function createCommandGroup(
  core: CoreOf<'commands'>,
  needs: {
    turbos: Turbos;
    callbacks: Callbacks;
    devices: Devices;
    display: Display;
    telemetry: Telemetry;
    /** Called when a transaction sets a deadline. */
    due: CommandContext['due'];
  },
) {
  const { devices, display } = needs;
  const owners = createCommandOwners();
  const alarm = createAlarm(core.clock, () => void arrangeAgain());
  const currentLines = createCurrentLines(core.clock, alarm.in);
  const reach = createReach({ ...core, ...needs });
  const parts = {
    ...core,
    ...needs,
    refresh: display.refresh,
    latencyMs: devices.latencyMs,
    reaches: reach.reaches,
    ownerEnded: owners.ended,
    directPressed: owners.directPressed,
    ownerMoved: owners.moved,
    ownerReached: owners.reached,
    ownerPressed: owners.pressed,
    ownerOpen: owners.isOpen,
    ownerPicker: owners.pickerOf,
    ownerItem: owners.itemOf,
    slotName: owners.slotName,
    shownLines: createShownLines(),
    currentLines,
  };
  const commands = createCommands(parts);

  /** Updates which lines to show first, after an arrival or a current line expired. */
  async function arrangeAgain(): Promise<void> {
    try {
      await core.writer.write((tx) => commands.arrangeAll(tx));
      currentLines.recheck();
    } catch (error) {
      core.log.warn({ err: error }, 'could not update the queues of devices when their pickers moved');
      alarm.within(RETRY_MS);
    }
  }

  // Drop inactive lines here, because a line without a light has no command whose end would drop it.
  const unsubscribe = core.bus.subscribe({
    commit({ facts }) {
      for (const fact of facts)
        if (fact.type === 'order.item' && fact.item.state !== 'active')
          currentLines.drop({ kind: 'item', id: fact.item.id });
    },
  });

  core.onStop(unsubscribe);
  core.onStop(() => alarm.stop());
  core.onStop(() => reach.stop());
  core.onStart(() => reach.start(commands));
  return {
    commands,
    owners,
    reach,
    currentLines,
    moves: createCommandMoves(parts),
    operatorActions: createOperatorActions({ ...parts, commands, shownOf: owners.shownOf }),
    previews: createPreviews(parts),
    requests: createRequests({ ...parts, commands }),
  };
}
