import { Button } from 'react-aria-components';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { reasonWords } from '../../../shop/reasonWords.ts';
import { useStationContext } from '../../../station/context.ts';
import { useStationQuery } from '../../../station/useStationQuery.ts';
import { wallPick as words } from '../../../words/wallPick.ts';
import { BigButton } from '../BigButton.tsx';
import { listLiveBatches } from '../../../station/liveBatches.ts';
import styles from '../Pick.module.css';
import type { PickLine } from '../session/sessionTypes.ts';
import own from './Batch.module.css';
import { type About, Answer, Ask, type InMode } from './BatchDialog.tsx';
import { lineKey, sumOf } from './batchView.ts';

const SMALL_PX = 160;

const ordersOf = (lines: readonly PickLine[]): number =>
  new Set(lines.flatMap(({ shares }) => shares?.map(({ order_number: number }) => number) ?? [])).size;

/** Shows the dialogs that exist only at walls. */
export function WallQuestions({ mode }: InMode) {
  const { question } = mode.state;
  switch (question?.kind) {
    case 'articles':
      return <Articles mode={mode} />;
    case 'noMore':
      return <NoMore mode={mode} question={question} />;
    case 'notOnCart':
      return <NotOnCart mode={mode} />;
    case 'firstCart':
      return <FirstCart mode={mode} />;
    default:
      return null;
  }
}

type RowProps = { line: PickLine; note: string; isOff?: boolean; isChosen?: boolean; press(): void };

function Article({ line, note, isOff = false, isChosen, press }: RowProps) {
  const { picture, text, description, SKU } = line;
  const details = [description, SKU].filter((part) => part !== '').join(' · ');
  return (
    <Button
      className={own.article ?? ''}
      preventFocusOnPress
      data-off={isOff || undefined}
      {...(isChosen === undefined ? {} : { 'aria-pressed': isChosen })}
      onPress={press}
    >
      {picture === null ? (
        <span className={own.noPicture} aria-hidden="true" />
      ) : (
        <img className={own.picture} src={`${picture}&size=${SMALL_PX}`} alt="" />
      )}
      <span className={own.articleName}>
        <strong>{text}</strong> {details !== '' && <span>{details}</span>}
      </span>{' '}
      <span className={own.articleNote}>{note}</span>
    </Button>
  );
}

/** Lists the open articles with their pictures. Touching an article has the same effect as scanning it. */
function Articles({ mode }: InMode) {
  const { touch, view } = mode;
  const lines = view?.lines ?? [];
  return (
    <Dialog title={words.articles.title} isOpen onClose={() => touch({ touch: 'close' })} size="gloves">
      {lines.length === 0 && <p className={styles.says}>{words.articles.none}</p>}
      <ul className={own.articles} data-refused={mode.isRefused || undefined}>
        {lines.map((line) => (
          <li key={lineKey(line)}>
            <Article
              line={line}
              note={words.articles.needs(line.quantity ?? 0, ordersOf([line]))}
              press={() => touch({ touch: 'article', line: lineKey(line) })}
            />
          </li>
        ))}
      </ul>
      <BigButton onPress={() => touch({ touch: 'close' })}>{words.articles.back}</BigButton>
    </Dialog>
  );
}

/** Closes articles that will not arrive, with a reason. A touch on an article keeps it open. */
function NoMore({ mode, question: { kept } }: About<'noMore'>) {
  const { touch, view } = mode;
  const lines = view?.lines ?? [];
  const gone = lines.filter((line) => !kept.includes(lineKey(line)));
  return (
    <Dialog
      title={words.noMore.title(ordersOf(lines), lines.length)}
      isOpen
      onClose={() => touch({ touch: 'close' })}
      size="gloves"
    >
      <p className={styles.says}>{words.noMore.lead}</p>
      <ul className={own.articles}>
        {lines.map((line) => {
          const isKept = kept.includes(lineKey(line));
          const message = isKept ? words.noMore.stays : words.noMore.goes;
          return (
            <li key={lineKey(line)}>
              <Article
                line={line}
                note={`${words.articles.needs(line.quantity ?? 0, ordersOf([line]))} · ${message}`}
                isOff={isKept}
                isChosen={isKept}
                press={() => touch({ touch: 'keepOpen', line: lineKey(line) })}
              />
            </li>
          );
        })}
      </ul>
      <p className={styles.says}>{words.noMore.why}</p>
      <div className={styles.choices} data-refused={mode.isRefused || undefined} data-inert={mode.isInert || undefined}>
        {mode.reasons.map((reason) => (
          <BigButton
            key={reason.key}
            isDisabled={gone.length === 0}
            onPress={() => touch({ touch: 'reason', reason: reason.key })}
          >
            {reasonWords(reason)}
          </BigButton>
        ))}
        <BigButton onPress={() => touch({ touch: 'close' })}>{words.noMore.leave}</BigButton>
      </div>
    </Dialog>
  );
}

/** Asks what to do about picked pieces that are missing from the cart. */
function NotOnCart({ mode }: InMode) {
  const { state, view } = mode;
  const held = new Map<string, number>();
  const pieces = view?.batch.hands.flatMap(({ shares }) => shares) ?? [];
  for (const { item_id: item, quantity } of pieces) {
    const name = state.names.get(item) ?? '';
    held.set(name, (held.get(name) ?? 0) + quantity);
  }
  return (
    <Ask
      mode={mode}
      title={words.notOnCart.title(sumOf(pieces))}
      lead={<p className={styles.says}>{[...held].map(([name, count]) => `${count} ${name}`.trim()).join(', ')}</p>}
    >
      <Answer mode={mode} touch={{ touch: 'notOnCart', what: 'missing' }}>
        {words.notOnCart.missing}
      </Answer>
      <Answer mode={mode} touch={{ touch: 'notOnCart', what: 'put_back' }}>
        {words.notOnCart.putBack}
      </Answer>
      <Answer mode={mode} touch={{ touch: 'close' }}>
        {words.notOnCart.back}
      </Answer>
    </Ask>
  );
}

/** Asks onto which cart to pick before sorting at the wall, if any. */
function FirstCart({ mode }: InMode) {
  const { api } = useStationContext();
  const carts = useStationQuery(['carriers', 'cart'], () => api.loadCarriers('cart')).value ?? [];
  const busy = useStationQuery(['liveBatches', 'progress'], () => listLiveBatches(api)).value;
  const free = busy === undefined ? [] : carts.filter(({ id }) => !busy.some(({ cart }) => cart === id));
  return (
    <Ask
      mode={mode}
      title={words.loading.firstCartTitle}
      lead={<p className={styles.says}>{words.loading.firstCartLead}</p>}
    >
      <Answer mode={mode} touch={{ touch: 'firstCart', cart: undefined }}>
        {words.loading.noCart}
      </Answer>
      {free.map(({ id, name }) => (
        <Answer key={id} mode={mode} touch={{ touch: 'firstCart', cart: id }}>
          {words.loading.onto(name)}
        </Answer>
      ))}
    </Ask>
  );
}
