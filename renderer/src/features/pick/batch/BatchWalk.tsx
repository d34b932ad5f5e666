import { Minus, Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { ledOf } from '../../../shop/device/commandWords.ts';
import { ledStyle } from '../../../shop/device/Led.tsx';
import { ledTone } from '../../../shop/device/ledTone.ts';
import { useStationState } from '../../../station/context.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import { wallPick } from '../../../words/wallPick.ts';
import * as texts from '../../../words/texts.ts';
import { BigButton } from '../BigButton.tsx';
import { useHitch } from '../Hitch.tsx';
import { areLettersOn } from '../session/letters.ts';
import { packWords, placeOf, shelfWords } from '../session/lines.ts';
import styles from '../Pick.module.css';
import type { PickLine } from '../session/sessionTypes.ts';
import own from './Batch.module.css';
import { Freed, Hands, Stopped } from './BatchNotes.tsx';
import { askedOf, bySlot, countOf, inPacks, needsScan, openLines } from './batchPart.ts';
import { lineKey } from './batchView.ts';
import type { OpenBatch } from './useBatch.ts';

/** Character limits above which names are drawn smaller, in two steps for places. */
const LONG = 7;
const LONGEST = 12;
const LONG_NAME = 26;
const NEXT = 4;

type Props = { mode: OpenBatch; line: PickLine };

/** Shows the next place, with the total quantity that all orders need there. */
export function BatchWalk({ mode, line }: Props) {
  return (
    <div className={styles.columns}>
      <div className={styles.scroll}>
        <Place mode={mode} line={line} />
        <NextLines mode={mode} />
      </div>
      <WalkActions mode={mode} line={line} />
    </div>
  );
}

function edgeOf({ color }: PickLine) {
  const led = ledOf('flash', color);
  return { style: ledStyle(led), 'data-pale': (led !== undefined && ledTone(led.hex).pale) || undefined };
}

function Place({ mode, line }: Props) {
  const map = useStationState(({ station }) => station?.map);
  const place = placeOf(line);
  const count = countOf(mode.state, line);
  const asked = askedOf(line);
  const shelf = map === undefined ? '' : shelfWords(map, line.deviceid);
  const there = line.on_hand === null ? undefined : texts.pick.there(Math.max(0, line.on_hand));
  const packed = inPacks(mode.state, line);
  const counted = packed === 0 ? undefined : words.walk.counted(packed);
  const stock = [counted, packWords(count, line.packs), there].filter((part) => part !== undefined);
  const details = [line.description, line.SKU === '' ? '' : `SKU ${line.SKU}`].filter((part) => part !== '');
  const slots = bySlot(line.shares ?? []);
  const size = place.length > LONGEST ? 'small' : place.length > LONG ? 'medium' : 'large';
  return (
    <section className={`${styles.card} ${own.walk}`} {...edgeOf(line)} aria-label={place}>
      <div className={styles.where}>
        <h2 className={styles.place} data-size={size}>
          {place}
        </h2>
        <p className={styles.shelf}>{shelf !== '' && <span>{shelf}</span>}</p>
        <div className={styles.other}>
          <BigButton preventFocusOnPress onPress={() => mode.touch({ touch: 'others' })}>
            {words.walk.more}
          </BigButton>
        </div>
      </div>
      <div className={styles.hitch}>
        <Hitches key={lineKey(line)} line={line} />
        <Stopped mode={mode} />
        <Freed mode={mode} />
        <Hands mode={mode} />
      </div>
      <div className={styles.what}>
        <Button
          className={styles.count ?? ''}
          aria-label={texts.pick.count(count)}
          data-digits={String(count).length}
          preventFocusOnPress
          onPress={() => mode.touch({ touch: 'pad' })}
        >
          <strong>{count}</strong>
          {count !== asked && <span>{texts.pick.of(asked)}</span>}
        </Button>
        <div className={styles.article}>
          <p className={styles.name} data-long={line.text.length > LONG_NAME || undefined}>
            {line.text}
          </p>
          {stock.length > 0 && <p className={styles.details}>{stock.join(' · ')}</p>}
          {details.length > 0 && <p className={styles.details}>{details.join(' · ')}</p>}
        </div>
        {slots.length > 0 && (
          <div className={own.split}>
            <span>{(mode.view?.batch.mode === 'wall' ? wallPick : words).walk.slots(slots.length)}</span>
            <ul className={own.strip} aria-label={words.walk.split}>
              {slots.map(({ slot, quantity }) => (
                <li key={slot}>
                  <span>{slot}</span> <strong>{quantity}</strong>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}

/** Explains why the light of a line may not be on. */
function Hitches({ line }: { line: PickLine }) {
  const hitch = useHitch(line);
  if (hitch === 'waits') return <p>{texts.pick.hitch.waits(undefined, undefined)}</p>;
  return hitch === undefined ? null : <p>{texts.pick.hitch[hitch]}</p>;
}

function NextLines({ mode: { state, view } }: { mode: OpenBatch }) {
  if (view === undefined) return null;
  const lines = openLines(state, view).slice(1, NEXT + 1);
  const shares = [...view.batch.slots.flatMap((slot) => slot.shares), ...view.batch.waiting];
  const all = shares.reduce((sum, share) => sum + share.quantity, 0);
  const put = shares.reduce((sum, share) => sum + (view.batch.mode === 'wall' ? share.picked : share.put), 0);
  return (
    <aside className={styles.next} aria-label={texts.pick.next}>
      {lines.length > 0 && <h2 className={styles.heading}>{texts.pick.next}</h2>}
      <ul className={styles.nextLines}>
        {lines.map((line) => (
          <li key={lineKey(line)} className={styles.nextLine} style={ledStyle(ledOf('flash', line.color))}>
            <strong>{placeOf(line)}</strong>
            <span>{line.text}</span>
            <strong>{line.quantity}</strong>
          </li>
        ))}
      </ul>
      <div className={styles.progress}>
        <p>
          <span>{words.walk.progress}</span>
          <strong>{texts.pick.progress(put, all)}</strong>
        </p>
        <progress max={Math.max(1, all)} value={put} aria-label={words.walk.progress} />
      </div>
    </aside>
  );
}

/** Buttons that always stay in the same position, so that people can press them without looking. */
function WalkActions({ mode, line }: Props) {
  const { state, touch, view } = mode;
  const count = countOf(state, line);
  const picked = useRef<HTMLButtonElement>(null);
  const isAsked = state.question !== undefined;
  const hints = view !== undefined && needsScan(view, line) ? words.verify : words.walk;
  // When a question closes, focus Picked, because the button that had focus before may be gone.
  useEffect(() => {
    if (isAsked) return undefined;
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) picked.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [isAsked]);
  return (
    <div className={styles.actions} {...edgeOf(line)}>
      <div className={styles.confirm}>
        <BigButton
          key={lineKey(line)}
          ref={picked}
          look="main"
          autoFocus
          hint={mode.isEnterOff ? hints.scanHint : hints.pickedHint}
          {...(mode.isInert ? { 'data-inert': true } : {})}
          {...(mode.isRefused ? { 'data-refused': true } : {})}
          onPress={() => touch({ touch: 'picked' })}
        >
          {texts.pick.picked}
        </BigButton>
      </div>
      <div className={styles.steps}>
        <BigButton
          aria-label={texts.pick.less}
          preventFocusOnPress
          icon={Minus}
          isDisabled={count === 0}
          onPress={() => touch({ touch: 'less' })}
        >
          {''}
        </BigButton>
        <Button
          className={styles.between ?? ''}
          aria-label={texts.pick.pad.open(count)}
          preventFocusOnPress
          onPress={() => touch({ touch: 'pad' })}
        >
          {count}
        </Button>
        <BigButton
          preventFocusOnPress
          aria-label={texts.pick.more}
          icon={Plus}
          onPress={() => touch({ touch: 'more' })}
        >
          {''}
        </BigButton>
      </div>
      <div className={styles.rest}>
        <BigButton
          preventFocusOnPress
          hint={areLettersOn() ? texts.pick.shortHint : undefined}
          onPress={() => touch({ touch: 'short' })}
        >
          {texts.pick.short}
        </BigButton>
      </div>
    </div>
  );
}
