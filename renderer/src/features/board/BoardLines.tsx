import type { WallBoard } from '#shared/api/wallBoard.ts';
import * as texts from '../../words/texts.ts';
import { shopClock } from '../../words/shopClock.ts';
import styles from './BoardLines.module.css';

const words = texts.board;
const MAX_HOURS = 10;
const MAX_PEOPLE = 5;

/** Shows how many lines were picked today: in total, per hour, and per person. Omits hours without lines. */
export function BoardLines({ board }: { board: WallBoard }) {
  const { lines_today: today, lines_last_hour: lastHour, hours, people } = board;
  return (
    <section className={styles.lines} aria-label={words.lines}>
      {today === 0 ? (
        <p className={styles.none}>{words.noLines}</p>
      ) : (
        <>
          <dl className={styles.totals}>
            <div>
              <dd className={styles.big}>{today}</dd>
              <dt>{words.today}</dt>
            </div>
            <div>
              <dd className={styles.big}>{lastHour}</dd>
              <dt>{words.lastHour}</dt>
            </div>
          </dl>
          <Hours hours={hours.slice(-MAX_HOURS)} />
          <People people={people} />
        </>
      )}
    </section>
  );
}

function Hours({ hours }: { hours: WallBoard['hours'] }) {
  const most = Math.max(1, ...hours.map(({ lines }) => lines));
  return (
    <ul className={styles.hours} aria-label={words.perHour}>
      {hours.map(({ at, lines }) => {
        const hour = new Date(shopClock().clockOf(Date.parse(at))).getUTCHours();
        return (
          <li key={at} className={styles.hour}>
            <span className="visuallyHidden">{words.hour(`${hour}:00`, lines)}</span>
            <span className={styles.count} aria-hidden="true">
              {lines}
            </span>
            <span className={styles.bar} aria-hidden="true" style={{ blockSize: `${(lines / most) * 100}%` }} />
            <span className={styles.at} aria-hidden="true">
              {hour}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function People({ people }: { people: WallBoard['people'] }) {
  const named = people.filter(({ name }) => name !== '');
  const unnamed = people.filter(({ name }) => name === '');
  const rows = [...named, ...unnamed];
  // If there are more people, the last row sums up the rest.
  const shown = rows.length > MAX_PEOPLE ? rows.slice(0, MAX_PEOPLE - 1) : rows;
  const rest = rows.slice(shown.length);
  return (
    <ul className={styles.people} aria-label={words.people}>
      {shown.map(({ name, lines }) => (
        <li key={name} className={styles.person}>
          <span className={styles.name}>{name === '' ? words.unnamed : name}</span>
          <span>{lines}</span>
        </li>
      ))}
      {rest.length > 0 && (
        <li className={styles.person}>
          <span className={styles.name}>{words.morePeople(rest.length)}</span>
          <span>{rest.reduce((sum, { lines }) => sum + lines, 0)}</span>
        </li>
      )}
    </ul>
  );
}
