import { useState } from 'react';
import type { Order } from '#shared/api/order.ts';
import { ledOf } from '../../shop/device/commandWords.ts';
import { ledStyle } from '../../shop/device/Led.tsx';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Unbroken } from '../../kit/Unbroken.tsx';
import * as texts from '../../words/texts.ts';
import { durationWords, placeOf, progressOf } from './session/lines.ts';
import styles from './Pick.module.css';
import type { PickLine } from './session/sessionTypes.ts';
import type { PickState } from './usePick.ts';

const words = texts.pick;
const SHOWN = 4;

/** Lists the next places and shows the order's progress. */
export function Next({ pick, order }: { pick: PickState; order: Order }) {
  const [hasOthers, setHasOthers] = useState(false);
  const { done, lines, picked, units, items } = progressOf(order);
  const next = pick.lines.slice(1, 1 + SHOWN);
  const colorOf = new Map(order.pickers.map(({ name, color }) => [name, color]));
  const others = items.filter(({ state, picker }) => state === 'active' && picker !== null && picker !== pick.me);
  return (
    <aside className={styles.next}>
      {next.length > 0 && <h3 className={styles.heading}>{words.next}</h3>}
      <ul className={styles.nextLines}>
        {next.map((line) => (
          <NextLine key={line.item_id} line={line} />
        ))}
        {hasOthers &&
          others.slice(0, SHOWN).map((item) => (
            <li
              key={item.id}
              className={styles.nextLine}
              data-other="true"
              style={ledStyle(ledOf('flash', colorOf.get(item.picker ?? '') ?? ''))}
            >
              <strong>{item.warehouse_location ?? item.deviceid}</strong>
              <span>
                {item.name ?? item.SKU} · {item.picker}
              </span>
              <strong>{item.quantity_remaining}</strong>
            </li>
          ))}
      </ul>
      {others.length > 0 && (
        <Button
          look="quiet"
          words={hasOthers ? words.hideOthers : words.others}
          onPress={() => setHasOthers(!hasOthers)}
        />
      )}
      <div className={styles.progress}>
        <p>
          <span>
            <Unbroken>{words.order(order.order_number)}</Unbroken>
          </span>
          <strong>{words.progress(done, lines)}</strong>
        </p>
        <progress max={lines} value={done} aria-label={words.progress(done, lines)} />
        <p className={styles.quiet}>
          <span>{words.units(picked, units)}</span>
          <Took since={order.launched_time} />
        </p>
      </div>
    </aside>
  );
}

function NextLine({ line }: { line: PickLine }) {
  return (
    <li className={styles.nextLine} style={ledStyle(ledOf('flash', line.color))}>
      <strong>{placeOf(line)}</strong>
      <span>{line.text}</span>
      <strong>{line.quantity}</strong>
    </li>
  );
}

function Took({ since }: { since: string | null }) {
  const time = useTimed((now) => (since === null ? '' : durationWords(now - Date.parse(since))));
  return <span>{time}</span>;
}
