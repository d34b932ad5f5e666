import { CircleCheck, PlugZap, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { WallBoard } from '#shared/api/wallBoard.ts';
import { useAwake } from '../../kit/useAwake.ts';
import * as texts from '../../words/texts.ts';
import styles from './BoardPage.module.css';
import { BoardBatches } from './BoardBatches.tsx';
import { BoardLines } from './BoardLines.tsx';
import { BoardOrders } from './BoardOrders.tsx';
import { useBoard } from './useBoard.ts';
import { timeText } from '../../words/formats.ts';

const words = texts.board;
const TICK_MS = 1_000;

/**
 * The wall board for a TV: orders by due time, what needs attention, and the lines picked today. A screen's link opens
 * it.
 */
export function BoardPage() {
  const secret = useFragment();
  useEffect(() => {
    document.title = texts.pageTitle(words.documentTitle);
  }, []);
  if (secret === '') return <Message {...words.noLink} />;
  return <Board secret={secret} />;
}

function Board({ secret }: { secret: string }) {
  const state = useBoard(secret);
  const now = useNow();
  useAwake();
  if (state.kind === 'refused') return <Message {...words.refused} />;
  if (state.kind === 'connecting') return <Message title={words.connecting} />;
  const { board, skewMs } = state;
  const away = state.kind === 'lost' ? state.sinceAt : undefined;
  if (board === undefined) return <Message title={words.away.never} isCare />;
  return (
    <div className={styles.page} data-stale={away === undefined ? undefined : true}>
      <header className={styles.top}>
        <h1 className={styles.title}>{words.waiting(board.order_count)}</h1>
        <p className={styles.late} data-none={board.late_count === 0 || undefined}>
          {board.late_count > 0 && <TriangleAlert className={styles.icon} aria-hidden="true" />}
          {board.order_count === 0 ? '' : board.late_count === 0 ? words.noneLate : words.late(board.late_count)}
        </p>
        <Clock at={now - skewMs} />
      </header>
      {away !== undefined && (
        <p className={styles.away} role="alert">
          <PlugZap className={styles.icon} aria-hidden="true" />
          {words.away.stale(clockWords(away))}
        </p>
      )}
      <main className={styles.body}>
        <BoardOrders board={board} now={now - skewMs} isStale={away !== undefined} />
        <div className={styles.side}>
          <Care cares={board.care} />
          <BoardBatches board={board} />
          <BoardLines board={board} />
        </div>
      </main>
    </div>
  );
}

/** Lists what needs attention, with one line for each kind of problem. */
function Care({ cares }: { cares: WallBoard['care'] }) {
  return (
    <section className={styles.card} aria-label={words.care}>
      {cares.length === 0 ? (
        <p className={styles.well}>
          <CircleCheck className={styles.icon} aria-hidden="true" />
          {words.noCare}
        </p>
      ) : (
        <ul className={styles.cares}>
          {cares.map(({ kind, count, names }) => (
            <li key={kind} className={styles.care}>
              <TriangleAlert className={styles.icon} aria-hidden="true" />
              <span className={styles.careWords}>
                <strong>{words.cares[kind](count)}</strong>
                {names.length > 0 && <span className={styles.names}>{namesOf(names, count)}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const namesOf = (names: readonly string[], count: number): string =>
  `${names.join(', ')}${count > names.length ? ', …' : ''}`;

function Clock({ at }: { at: number }) {
  return (
    <time className={styles.clock} dateTime={new Date(at).toISOString()}>
      <span className={styles.day}>{timeText('longWeekdayAndDay', at)}</span>
      {clockWords(at)}
    </time>
  );
}

function Message({ title, body, isCare = false }: { title: string; body?: string; isCare?: boolean }): ReactNode {
  return (
    <main className={styles.message} role={isCare ? 'alert' : undefined}>
      <h1 className={styles.title}>{title}</h1>
      {body !== undefined && <p className={styles.says}>{body}</p>}
    </main>
  );
}

function clockWords(at: number): string {
  return timeText('clock', at);
}

/** Returns the secret from the address. The secret stays in the address, so that a reload opens the board again. */
function useFragment(): string {
  const [fragment, setFragment] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    const read = () => setFragment(window.location.hash.slice(1));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return fragment;
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
