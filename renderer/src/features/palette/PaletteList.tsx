import { ClipboardList, LayoutGrid, Lightbulb, ListOrdered, Search, Zap } from 'lucide-react';
import { useDeferredValue, useId, useMemo, useState, type KeyboardEvent } from 'react';
import type { RailPage } from '../../ui/Rail.tsx';
import { browserStorage } from '../../ui/storage.ts';
import { texts } from '../../ui/texts.ts';
import type { ThemeChoice } from '../../ui/theme.ts';
import { findEntries, type PaletteEntry } from './findEntries.ts';
import styles from './Palette.module.css';
import { readRecent, rememberRecent } from './recent.ts';
import { useEntries } from './useEntries.ts';

const ICONS = {
  page: LayoutGrid,
  device: Lightbulb,
  order: ClipboardList,
  sequence: ListOrdered,
  action: Zap,
} as const;

type Props = { pages: readonly RailPage[]; theme: ThemeChoice; close(): void };

/** The box to type in and what matches: WAI-ARIA's combobox with a list that is always open. */
export function PaletteList({ pages, theme, close }: Props) {
  const listId = useId();
  const [storage] = useState(browserStorage);
  const [recent] = useState(() => readRecent(storage));
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const entries = useEntries(pages, theme);
  // What is typed appears at once, however many entries there are to look through.
  const looked = useDeferredValue(typed);
  const found = useMemo(() => findEntries(entries, looked, recent), [entries, looked, recent]);
  const current = Math.min(chosen, found.length - 1);

  function run(entry: PaletteEntry | undefined): void {
    if (entry === undefined) return;
    rememberRecent(storage, entry.id);
    close();
    entry.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      // Typed faster than it was drawn: what counts is what was typed.
      run(looked === typed ? found[current] : findEntries(entries, typed, recent)[0]);
      return;
    }
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    const next = current + step;
    // Single steps go round, leaps stop at the ends.
    if (Math.abs(step) === 1) setChosen((next + found.length) % found.length);
    else setChosen(Math.max(0, Math.min(found.length - 1, next)));
  }

  const idOf = (index: number) => `${listId}-${index}`;
  return (
    <>
      <div className={styles.box}>
        <Search size={18} aria-hidden="true" />
        <input
          className={styles.input}
          role="combobox"
          aria-label={texts.palette.title}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current < 0 ? undefined : idOf(current)}
          placeholder={texts.palette.placeholder}
          autoComplete="off"
          spellCheck="false"
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd className={styles.key}>{texts.palette.escape}</kbd>
      </div>
      <ul id={listId} className={styles.list} role="listbox" aria-label={texts.palette.results}>
        {found.map((entry, index) => {
          const Icon = ICONS[entry.kind];
          return (
            <li
              key={entry.id}
              id={idOf(index)}
              className={styles.entry}
              role="option"
              aria-selected={index === current}
              ref={index === current ? scrollHere : undefined}
              onMouseMove={() => setChosen(index)}
              onClick={() => run(entry)}
            >
              <Icon size={16} aria-hidden="true" />
              <span className={styles.words}>{entry.words}</span>
              <span className={styles.hint}>{entry.hint}</span>
            </li>
          );
        })}
      </ul>
      <p className={styles.none} role="status">
        {found.length === 0 ? texts.palette.none : ''}
      </p>
    </>
  );
}

function scrollHere(entry: HTMLElement | null): void {
  entry?.scrollIntoView({ block: 'nearest' });
}
