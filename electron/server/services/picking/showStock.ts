import type { StockShow, StockShown } from '#shared/api/stock.ts';
import { BARE_CONTENT } from '#shared/lib/requests/deviceRequest.ts';
import type { CoreOf } from '../../core.ts';
import type { Transaction } from '../../db/writer.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { type StockLevel, worstLevel } from '../../domain/places/stockLevel.ts';
import { type Commands, SHOW_STOCK_TARGET } from '../commands/index.ts';
import { findByLocation, type Target, withNamesOnce } from '../devices/index.ts';

type ShowContext = {
  repositories: CoreOf<'picking'>['repositories'];
  writer: Pick<CoreOf<'picking'>['writer'], 'write' | 'writeLarge'>;
  commands: Pick<Commands, 'send' | 'cancel'>;
};

type Shown = Pick<ShowContext, 'repositories'> & { commands: Pick<Commands, 'cancel'> };

const DEFAULT_SECONDS = 30;
const BY = 'station';

/**
 * Lights the LED of each device that serves counted places, in a color for the lowest stock level there. Ends the previous display of stock
 * first. With 0 seconds, only ends it. Contract, section 20.
 */
export function showStock(
  context: ShowContext,
  { seconds = DEFAULT_SECONDS }: StockShow,
  by: string,
): Promise<StockShown> {
  return context.writer.writeLarge((tx) => {
    endShow(context, tx, by);
    if (seconds === 0) return { until: null, green: 0, yellow: 0, red: 0, busy: [], left_out: [] };
    const shown: StockShown = {
      until: isoTime(tx.now + seconds * 1_000),
      green: 0,
      yellow: 0,
      red: 0,
      busy: [],
      left_out: [],
    };
    for (const { target, levels, place } of devicesOf(context)) {
      if (target.slow === 1 || target.led === 0) shown.left_out.push(place);
      else if (context.repositories.commands.findFirst(target.deviceId) !== undefined) shown.busy.push(place);
      else {
        const level = worstLevel(levels);
        shown[level] += 1;
        light(context, tx, target, { color: level, seconds, by });
      }
    }
    return shown;
  });
}

/** Ends the display of stock that was running when the station last stopped. */
export async function endShowAtStart(writer: ShowContext['writer'], shown: Shown): Promise<void> {
  if (shown.repositories.commands.listWithTarget(SHOW_STOCK_TARGET).length === 0) return;
  await writer.write((tx) => endShow(shown, tx, BY));
}

function endShow({ repositories, commands }: Shown, tx: Transaction, by: string): void {
  for (const command of repositories.commands.listWithTarget(SHOW_STOCK_TARGET)) commands.cancel(tx, command, by);
}

function light(
  { commands }: ShowContext,
  tx: Transaction,
  { deviceId, label }: Target,
  { color, seconds, by }: { color: StockLevel; seconds: number; by: string },
): void {
  const content = { ...BARE_CONTENT, lines: [], command: 'pick' as const, color, seconds };
  const addressed = { deviceId, target: SHOW_STOCK_TARGET, alias: '', label, nonce: '', arrowAdded: false };
  commands.send(tx, { ...addressed, content, sender: by });
}

type ShownDevice = { target: Target; levels: StockLevel[]; place: string };

/** Returns the devices that serve counted places of articles. `place` is the first of a device's places. */
function devicesOf({ repositories }: ShowContext): ShownDevice[] {
  const tables = withNamesOnce(repositories);
  const devices = new Map<string, ShownDevice>();
  for (const { place, isEmpty, isLow } of repositories.stock.listLevels()) {
    const target = findByLocation(tables, place);
    if (target === undefined) continue;
    const known = devices.get(target.deviceId) ?? { target, levels: [], place };
    known.levels.push(isEmpty === 1 ? 'red' : isLow === 1 ? 'yellow' : 'green');
    devices.set(target.deviceId, known);
  }
  return [...devices.values()];
}
