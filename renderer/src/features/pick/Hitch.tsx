import { useContext } from 'react';
import { useDevice, useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import * as texts from '../../words/texts.ts';
import { BigButton } from './BigButton.tsx';
import { clockWords, placeOf } from './session/lines.ts';
import styles from './Pick.module.css';
import type { PickLine } from './session/sessionTypes.ts';
import { RowsMoved, useRowsMoved } from './useRowsMoved.ts';
import type { PickState } from './usePick.ts';

const words = texts.pick.hitch;

/** Explains why this line's light may not be visible, or why the place may be empty. */
export function Hitch({ pick, line }: { pick: PickState; line: PickLine }) {
  const { found_empty: found } = line;
  const hitch = useHitch(line, found !== null);
  if (found !== null)
    return <p className={styles.hitch}>{words.foundEmpty(found.by, clockWords(Date.parse(found.at)))}</p>;
  if (hitch === 'waits') return <Waits pick={pick} line={line} deviceid={line.deviceid ?? ''} />;
  return hitch === undefined ? null : <p className={styles.hitch}>{words[hitch]}</p>;
}

/**
 * Returns why the light of this line may not be visible. Notifies the page of each change, because a row appears or disappears then. Give the
 * component a key that identifies the line.
 */
export function useHitch(line: PickLine, isOther = false): 'noLight' | 'unreachable' | 'waits' | undefined {
  const isDead = useIsDead(line);
  const hitch = !line.light ? 'noLight' : isDead ? 'unreachable' : line.waiting ? 'waits' : undefined;
  const shown = isOther ? 'other' : hitch;
  useRowsMoved(shown ?? '', useContext(RowsMoved));
  return hitch;
}

/**
 * Whether the light of this line cannot be seen: its device is offline now, or the light never reached it. A device can also go offline
 * after it was lit.
 */
function useIsDead({ deviceid, unreachable }: PickLine): boolean {
  const device = useDevice(deviceid ?? '');
  return unreachable || device?.online === false;
}

/** Shown while the device is lit for somebody else's work. */
function Waits({ pick, line, deviceid }: { pick: PickState; line: PickLine; deviceid: string }) {
  const { api } = useStationContext();
  const device = useDevice(deviceid);
  const pickers = useStationQuery(['pickers'], () => api.listPickers());
  const shown = device?.commands.find(({ command_id: id }) => id !== line.command_id);
  const order = shown?.order_number ?? null;
  const of = pickers.value?.filter(({ name, orders }) => name !== pick.me && order !== null && orders.includes(order));
  const owner = of?.find(({ color }) => color === shown?.color) ?? (of?.length === 1 ? of[0] : undefined);
  const other = pick.lines.find(({ deviceid: id, waiting }) => id !== deviceid && !waiting);
  return (
    <div className={styles.hitch}>
      <p>{words.waits(owner?.name, other !== undefined && !pick.isWaiting ? placeOf(other) : undefined)}</p>
      {other !== undefined && !pick.isWaiting && (
        <div className={styles.hitchChoices}>
          <BigButton preventFocusOnPress onPress={() => pick.touch({ touch: 'wait' })}>
            {words.wait}
          </BigButton>
          <BigButton preventFocusOnPress onPress={() => pick.touch({ touch: 'skip' })}>
            {words.goOn(placeOf(other))}
          </BigButton>
        </div>
      )}
    </div>
  );
}
