import { Minus, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { ledOf } from '../../shop/device/commandWords.ts';
import { ledStyle } from '../../shop/device/Led.tsx';
import { ledTone } from '../../shop/device/ledTone.ts';
import { useStationState } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import * as texts from '../../words/texts.ts';
import { BigButton } from './BigButton.tsx';
import { Hitch } from './Hitch.tsx';
import { areLettersOn } from './session/letters.ts';
import { durationWords, packWords, placeOf, shelfWords } from './session/lines.ts';
import styles from './Pick.module.css';
import type { PickLine } from './session/sessionTypes.ts';
import type { PickState } from './usePick.ts';

const words = texts.pick;
/** Character limits above which place names are drawn smaller, in two steps. */
const LONG = 7;
const LONGEST = 12;
/** Character limit above which article names are drawn smaller. They are truncated after two lines. */
const LONG_NAME = 26;

/** Shows the place, the quantity and the article. */
export function Instruction({ pick, line }: { pick: PickState; line: PickLine }) {
  const map = useStationState(({ station }) => station?.map);
  const { item_id: itemId } = line;
  const place = placeOf(line);
  const { count, touch } = pick;
  const details = [line.description, line.SKU === '' ? '' : `SKU ${line.SKU}`].filter((part) => part !== '');
  const packs = packWords(count ?? pick.asked, line.packs);
  const there = line.on_hand === null ? undefined : words.there(Math.max(0, line.on_hand));
  const stock = [packs, there].filter((part) => part !== undefined);
  const shelf = map === undefined ? '' : shelfWords(map, line.deviceid);
  return (
    <section className={styles.card} {...edgeOf(line)} aria-label={place}>
      <div className={styles.where}>
        <h2
          className={styles.place}
          data-size={place.length > LONGEST ? 'small' : place.length > LONG ? 'medium' : 'large'}
        >
          {place}
        </h2>
        <p className={styles.shelf}>
          {shelf !== '' && <span>{shelf}</span>}
          <Since key={itemId} />
        </p>
        <div className={styles.other}>
          <BigButton preventFocusOnPress onPress={() => touch({ touch: 'others' })}>
            {words.other}
          </BigButton>
        </div>
      </div>
      <Hitch key={itemId} pick={pick} line={line} />
      <div className={styles.what}>
        {count !== null && (
          <Button
            className={styles.count ?? ''}
            aria-label={words.count(count)}
            data-digits={String(count).length}
            preventFocusOnPress
            onPress={() => touch({ touch: 'pad' })}
          >
            <strong>{count}</strong>
            {count !== pick.asked && <span>{words.of(pick.asked)}</span>}
          </Button>
        )}
        {line.picture !== null && (
          // The alternative text is empty, because the name next to the picture describes it.
          <img className={styles.picture} src={line.picture} alt="" key={line.picture} />
        )}
        <div className={styles.article}>
          {place !== line.text && (
            <p className={styles.name} data-long={line.text.length > LONG_NAME || undefined}>
              {line.text}
            </p>
          )}
          {stock.length > 0 && <p className={styles.details}>{stock.join(' · ')}</p>}
          {details.length > 0 && <p className={styles.details}>{details.join(' · ')}</p>}
          {line.note !== '' && <p className={styles.noteOfOrder}>{line.note}</p>}
        </div>
      </div>
    </section>
  );
}

function edgeOf({ color }: PickLine) {
  const led = ledOf('flash', color);
  return { style: ledStyle(led), 'data-pale': (led !== undefined && ledTone(led.hex).pale) || undefined };
}

/** Buttons that are always visible, so that people can press them without looking. */
export function Actions({ pick, line }: { pick: PickState; line: PickLine }) {
  const { count, touch, question } = pick;
  const picked = useRef<HTMLButtonElement>(null);
  const isAsked = question !== undefined;
  // When a question closes, focus Picked: if the question opened together with this line, the button that had focus
  // before is gone.
  useEffect(() => {
    if (isAsked) return undefined;
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) picked.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [isAsked]);
  return (
    <div className={styles.actions} {...edgeOf(line)}>
      {/* Gets the focus with each new line, so that Enter confirms the line. */}
      <div className={styles.confirm}>
        <BigButton
          key={line.item_id}
          ref={picked}
          look="main"
          autoFocus
          hint={pick.isEnterOff ? words.scanHint : words.pickedHint}
          {...(pick.isInert ? { 'data-inert': true } : {})}
          {...(pick.isRefused ? { 'data-refused': true } : {})}
          onPress={() => touch({ touch: 'picked' })}
        >
          {words.picked}
        </BigButton>
      </div>
      <div className={styles.steps}>
        <BigButton
          aria-label={words.less}
          preventFocusOnPress
          icon={Minus}
          isDisabled={count === null || count === 0}
          onPress={() => touch({ touch: 'less' })}
        >
          {''}
        </BigButton>
        {/* On a phone, this button is between the other two, because the large one may be out of view. */}
        <Button
          className={styles.between ?? ''}
          aria-label={words.pad.open(count)}
          preventFocusOnPress
          isDisabled={count === null}
          onPress={() => touch({ touch: 'pad' })}
        >
          {count}
        </Button>
        <BigButton
          preventFocusOnPress
          aria-label={words.more}
          icon={Plus}
          isDisabled={count === null}
          onPress={() => touch({ touch: 'more' })}
        >
          {''}
        </BigButton>
      </div>
      <div className={styles.rest}>
        <BigButton
          preventFocusOnPress
          hint={areLettersOn() ? words.shortHint : undefined}
          onPress={() => touch({ touch: 'short' })}
        >
          {words.short}
        </BigButton>
      </div>
    </div>
  );
}

/** The time since this line became the current one. */
function Since() {
  const [since] = useState(() => Date.now());
  const time = useTimed(() => durationWords(Date.now() - since));
  return <span className={styles.since}>{time}</span>;
}
