import { ask, changeReceiver, changeSettings, repeat } from './asking.ts';
import { carryAway, disturb, mend, restartDevice, restartTurbo, unplug } from './faults.ts';
import { pressBehindTheWall, pressInHaste } from './hasty.ts';
import { itWasMine, meetAtDevice, showLine, touchLine } from './meeting.ts';
import { setClock, turnsOfTheLoop, wait } from './moments.ts';
import {
  acknowledgeWithKey,
  beginOrder,
  closeShort,
  recolorAndPress,
  reopen,
  scan,
  stopPicking,
  takeOrder,
} from './pickingWork.ts';
import { changeAndPress, mash, press, pressAndUnplug, pressInTheLastMoment, pressNow, wearOut } from './pressing.ts';
import { labelAsk, randomAsk } from './requests.ts';
import { sameStation } from './snapshot.ts';
import { lookFor, standIn, standInAndPress } from './standingIn.ts';
import {
  changeLine,
  correctItem,
  endOrder,
  launchOrder,
  launchSequence,
  makeOrder,
  makeSequence,
  removeSequence,
  workOff,
} from './working.ts';
import type { World } from './world.ts';

/**
 * An operation of the test. Operations with `isPicking` are omitted if nobody picks orders, those with `isMeeting` if no page has a current
 * line.
 */
export type ModelOperation = {
  name: string;
  weight: number;
  run: (world: World) => Promise<string>;
  isPicking?: true;
  isMeeting?: true;
};

/** Everything that can happen to a station. Each operation returns a short description of what it did. */
export const OPERATIONS: readonly ModelOperation[] = [
  { name: 'ask', weight: 30, run: (world) => ask(world, [randomAsk(world)], false) },
  {
    name: 'ask for many',
    weight: 4,
    run: (world) =>
      ask(
        world,
        Array.from({ length: 2 + world.random.below(5) }, () => randomAsk(world)),
        true,
      ),
  },
  { name: 'label a device', weight: 10, run: (world) => ask(world, [labelAsk(world)], false) },
  { name: 'repeat a command', weight: 3, run: repeat },
  { name: 'change what is lit and press', weight: 6, run: changeAndPress },
  { name: 'press', weight: 22, run: press },
  { name: 'press in the last moment', weight: 4, run: pressInTheLastMoment },
  { name: 'press until nothing more is taken', weight: 0.3, run: mash },
  { name: 'press and pull the plug', weight: 3, run: (world) => pressAndUnplug(world) },
  { name: 'acknowledge in his place', weight: 4, run: (world) => standIn(world, 'acknowledge') },
  { name: 'stand in and press', weight: 4, run: standInAndPress },
  { name: 'adjust in his place', weight: 5, run: (world) => standIn(world, 'adjust') },
  { name: 'take one away', weight: 3, run: (world) => standIn(world, 'takeAway') },
  { name: 'identify', weight: 3, run: lookFor },
  { name: 'make a sequence', weight: 8, run: makeSequence },
  { name: 'launch a sequence', weight: 8, run: launchSequence },
  { name: 'remove a sequence', weight: 1, run: removeSequence },
  { name: 'make an order', weight: 8, run: makeOrder },
  { name: 'launch an order', weight: 6, run: launchOrder },
  { name: 'end an order', weight: 3, run: endOrder },
  { name: 'work off what is lit', weight: 8, run: workOff },
  { name: 'work off what is lit', weight: 8, run: workOff },
  { name: 'correct an item', weight: 6, run: correctItem },
  { name: 'change a line', weight: 6, run: changeLine },
  { name: 'press in haste', weight: 12, run: pressInHaste },
  { name: 'press behind the wall', weight: 20, run: pressBehindTheWall },
  { name: 'wait', weight: 28, run: wait },
  { name: 'pull the plug', weight: 3, run: unplug },
  { name: 'disturb the link', weight: 4, run: disturb },
  { name: 'carry away', weight: 3, run: carryAway },
  { name: 'mend', weight: 12, run: mend },
  { name: 'restart a device', weight: 2, run: restartDevice },
  { name: 'restart a device again and again', weight: 0.8, run: wearOut },
  { name: 'restart the turbo', weight: 1, run: restartTurbo },
  { name: 'set the clock', weight: 3, run: setClock },
  { name: 'change settings', weight: 3, run: changeSettings },
  { name: 'change the receiver', weight: 3, run: changeReceiver },
  { name: 'restart the station', weight: 1.5, run: restartStation },
  { name: 'look', weight: 6, run: look },
  { name: 'begin an order', weight: 12, run: beginOrder, isPicking: true },
  { name: 'take an order', weight: 8, run: takeOrder, isPicking: true },
  { name: 'stop picking', weight: 7, run: stopPicking, isPicking: true },
  { name: 'change whose line it is and press', weight: 4, run: recolorAndPress, isPicking: true },
  { name: 'close an item short', weight: 9, run: closeShort, isPicking: true },
  { name: 'open an item again', weight: 5, run: reopen, isPicking: true },
  { name: 'acknowledge with a key', weight: 4, run: acknowledgeWithKey, isPicking: true },
  { name: 'scan', weight: 14, run: scan, isPicking: true },
  { name: 'show a line on the page', weight: 8, run: showLine, isPicking: true, isMeeting: true },
  { name: 'touch a line on the page', weight: 6, run: touchLine, isPicking: true, isMeeting: true },
  { name: 'meet at a device', weight: 10, run: meetAtDevice, isPicking: true, isMeeting: true },
  { name: 'say that it was mine', weight: 4, run: itWasMine, isPicking: true, isMeeting: true },
];

async function restartStation(world: World): Promise<string> {
  const { random, clock } = world;
  if (world.jump !== undefined) return look(world);
  await world.settle();
  const before = await world.checkSnapshot();
  const told = random.chance(0.5) ? [pressNow(world)] : [];
  await turnsOfTheLoop(random.below(4));
  await world.stop();
  await world.settle();
  const isQuiet = told.length === 0;
  const downMs = random.one([0, 0, 1_000, 6_000, 30_000, 90_000] as const);
  await clock.advance(downMs);
  await world.start();
  if (isQuiet) sameStation(before, await world.checkSnapshot());
  return `${told.join()} down for ${downMs} ms`;
}

async function look(world: World): Promise<string> {
  await world.checkSnapshot();
  return '';
}
