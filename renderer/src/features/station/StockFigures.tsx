import { countText } from '#shared/lib/text/locale.ts';
import { Link } from 'wouter';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import styles from './Day.module.css';

const words = texts.day.stock;
const FIGURES = ['low', 'negative', 'tasks'] as const;

/** Counts articles to reorder, articles with negative stock, and open tasks. Hidden if the shop has no articles. */
export function StockFigures() {
  const { api } = useStationContext();
  const first = useStationQuery(['articles', 'first'], () => api.listArticles({ query: { limit: 1 } })).value;
  return first === undefined || first.length === 0 ? null : <Counted />;
}

function Counted() {
  const { api } = useStationContext();
  const low = useStationQuery(['articles', 'low'], () => api.loadStock({ below_minimum: '1' })).value?.length;
  const negative = useStationQuery(['articles', 'negative'], () => api.loadStock({ negative: '1' })).value?.length;
  const tasks = useStationQuery(['tasks', 'open'], () => api.listTasks({ query: { state: 'open' } })).value?.length;
  const counts = { low, negative, tasks };
  return (
    <ul className={styles.figures} aria-label={words.title}>
      {FIGURES.map((id) => (
        <li key={id}>
          <Link
            href={`/articles?show=${id}`}
            className={`${parts.card} ${styles.figure}`}
            data-care={(counts[id] ?? 0) > 0 || undefined}
          >
            <span className={styles.count}>{counts[id] === undefined ? '…' : countText(counts[id])}</span>
            <span className={styles.name}>{words.figures[id]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
