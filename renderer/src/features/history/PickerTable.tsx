import type { HistorySummary } from '#shared/api/historySummary.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import styles from './Figures.module.css';
import { lengthWords } from './pastWords.ts';

const words = texts.history.pickers;

/** What each picker finished in the time of the summary; nothing where nobody picked on the page Pick. */
export function PickerTable({ summary: { from, to, acknowledged } }: { summary: HistorySummary }) {
  const { api } = useStationContext();
  const { value = [] } = useStationQuery(['pickerFigures', from, to], () => api.loadPickerFigures(from, to), {
    version: acknowledged,
  });
  if (value.length === 0) return null;
  return (
    <div className={`${parts.card} ${styles.scroll}`}>
      <table className={styles.table} aria-label={words.label}>
        <thead>
          <tr>
            {(['picker', 'lines', 'units', 'shorts', 'median'] as const).map((column) => (
              <th key={column} scope="col">
                {words[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {value.map(({ picker, lines, units, shorts, median_seconds: median }) => (
            <tr key={picker}>
              <th scope="row">{picker}</th>
              <td>{lines}</td>
              <td>{units}</td>
              <td>{shorts}</td>
              <td>{median === null ? '–' : lengthWords(median * 1_000)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
