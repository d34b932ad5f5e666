import { Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Elsewhere } from '#shared/api/device.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import { BigButton } from './BigButton.tsx';
import { placeOf } from './lines.ts';
import styles from './Pick.module.css';
import { newKey, type PickState } from './usePick.ts';

const words = texts.pick.shortDialog;

/** `typed`: the number that was typed while the dialog is open. */
type Props = { line: WorkLine; pick: PickState; typed: number | undefined; isOpen: boolean; close(): void };

/** Fewer than ordered: how many, why, and where the rest may be. Three touches at most. */
export function ShortDialog({ line, pick, typed, isOpen, close }: Props) {
  const { api } = useStationContext();
  const reasons = useStationQuery(['shortReasons'], () => api.loadShortReasons(), { isOn: isOpen });
  const asked = Math.max(line.quantity ?? 0, (line.ordered_quantity ?? 0) - (line.quantity_fulfilled ?? 0));
  const [found, setFound] = useState(pick.count !== null && pick.count < asked ? pick.count : 0);
  const [heard, setHeard] = useState(typed);
  if (typed !== heard) {
    setHeard(typed);
    if (typed !== undefined && typed <= asked) setFound(typed);
  }
  const [reason, setReason] = useState<string>();
  const place = placeOf(line);

  async function finish(why: string, elsewhere?: Elsewhere): Promise<void> {
    close();
    setReason(undefined);
    const { order_number: order, item_id: id, quantity_fulfilled: before } = line;
    if (order === null || id === null) return;
    const body = {
      quantity_fulfilled: (before ?? 0) + found,
      reason: why,
      key: newKey(),
      ...(elsewhere === undefined ? {} : { elsewhere: elsewhere.deviceid }),
    };
    await pick.attempt(texts.pick.failed.short, () => api.closeShort(order, id, body));
  }

  return (
    <Dialog title={words.title(place)} isOpen={isOpen} onClose={close} size="gloves">
      {reason === undefined ? (
        <>
          <p className={styles.says}>{words.found}</p>
          <div className={styles.found}>
            <BigButton
              aria-label={texts.pick.less}
              icon={Minus}
              isDisabled={found === 0}
              onPress={() => setFound(found - 1)}
            >
              {''}
            </BigButton>
            <output className={styles.foundCount}>{found}</output>
            <BigButton
              aria-label={texts.pick.more}
              icon={Plus}
              isDisabled={found >= asked}
              onPress={() => setFound(found + 1)}
            >
              {''}
            </BigButton>
          </div>
          <p className={styles.says}>{words.why}</p>
          <div className={styles.choices}>
            {(reasons.value ?? []).map((each) => (
              <BigButton
                key={each}
                onPress={() => (line.elsewhere.length > 0 && found < asked ? setReason(each) : void finish(each))}
              >
                {words.reasons[each] ?? each}
              </BigButton>
            ))}
          </div>
        </>
      ) : (
        <>
          <p className={styles.says}>{words.rest(asked - found)}</p>
          <div className={styles.choices}>
            {line.elsewhere.map((other) => (
              <BigButton key={other.deviceid} look="main" onPress={() => void finish(reason, other)}>
                {words.elsewhere(placeOf(other))}
              </BigButton>
            ))}
            <BigButton onPress={() => void finish(reason)}>{words.close}</BigButton>
            <BigButton onPress={() => setReason(undefined)}>{words.back}</BigButton>
          </div>
        </>
      )}
    </Dialog>
  );
}
