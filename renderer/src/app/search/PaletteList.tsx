import {
  Boxes,
  CircleQuestionMark,
  ClipboardList,
  Grid3x3,
  Layers,
  LayoutGrid,
  Lightbulb,
  ListOrdered,
  Package,
  Search,
  Settings2,
  ShoppingCart,
  Zap,
} from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useStationState } from '../../station/context.ts';
import { useFind } from '../../station/useFind.ts';
import { Marked, SearchedProvider } from '../../kit/Marked.tsx';
import type { Page } from '../pages.tsx';
import { browserStorage } from '../../storage.ts';
import * as texts from '../../words/texts.ts';
import type { ThemeChoice } from '../../shop/theme.ts';
import parts from '../../kit/parts.module.css';
import styles from './Palette.module.css';
import { recentChoices } from './recent.ts';
import { type PaletteEntry, useEntries, useFoundEntries } from './useEntries.ts';

const ICONS = {
  page: LayoutGrid,
  help: CircleQuestionMark,
  device: Lightbulb,
  article: Boxes,
  order: ClipboardList,
  item: Package,
  batch: Layers,
  cart: ShoppingCart,
  wall: Grid3x3,
  sequence: ListOrdered,
  setting: Settings2,
  action: Zap,
} as const;

/** Number of results by which each key moves. */
const STEPS = new Map(Object.entries<number>({ ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }));

type Props = { pages: readonly Page[]; theme: ThemeChoice; close(): void; signOut(): void };

/** The search box and its results: a WAI-ARIA combobox whose list is always open. */
export function PaletteList({ pages, theme, close, signOut }: Props) {
  const listId = useId();
  const person = useStationState(({ station }) => station?.user.name ?? '');
  const [choices] = useState(() => recentChoices(person, browserStorage()));
  const [chosenBefore] = useState(choices.list);
  const recent = useMemo(() => chosenBefore.map(({ id }) => id), [chosenBefore]);
  const [, navigate] = useLocation();
  /** Whether Enter was pressed before there was a result. If so, the first result opens as soon as it arrives. */
  const [isAwaited, setAwaited] = useState(false);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const listed = useEntries(pages, theme, signOut);
  const entries = useMemo(() => {
    const known = new Set(listed.map(({ id }) => id));
    const others = chosenBefore.flatMap((each): PaletteEntry[] => {
      const { to } = each;
      return to === undefined || known.has(each.id) ? [] : [{ ...each, to, run: () => navigate(to) }];
    });
    return [...listed, ...others];
  }, [listed, chosenBefore, navigate]);
  // Defer the search, so that typing stays fast with many entries.
  const looked = useDeferredValue(typed);
  const further = useFoundEntries(useFind(looked));
  const found = useMemo(
    () => withFurther(findEntries(entries, looked, recent), further),
    [entries, looked, recent, further],
  );
  const current = Math.min(chosen, found.length - 1);

  function run(entry: PaletteEntry | undefined): void {
    if (entry === undefined) return;
    choices.add(entry);
    close();
    entry.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      // If the drawn list belongs to an earlier text, search again instead of using it.
      const wanted = looked === typed ? found[current] : findEntries(entries, typed, recent)[0];
      setAwaited(wanted === undefined && typed.trim() !== '');
      run(wanted);
      return;
    }
    const step = STEPS.get(event.key);
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    const next = current + step;
    // Single steps wrap around; larger ones stop at the ends.
    if (Math.abs(step) === 1) setChosen((next + found.length) % found.length);
    else setChosen(Math.max(0, Math.min(found.length - 1, next)));
  }

  const [first] = found;
  useEffect(() => {
    if (!isAwaited || looked !== typed || first === undefined) return;
    run(first);
    // oxlint-disable-next-line react/exhaustive-deps -- runs only once, when there is a result
  }, [isAwaited, looked, typed, first]);

  const idOf = (index: number) => `${listId}-${index}`;
  return (
    <>
      <div className={`${parts.middle3} ${styles.box}`}>
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
            setAwaited(false);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd className={styles.key}>{texts.palette.escape}</kbd>
      </div>
      <ul id={listId} className={styles.list} role="listbox" aria-label={texts.palette.results}>
        <SearchedProvider value={looked}>
          {found.map((entry, index) => (
            <Entry
              key={entry.id}
              id={idOf(index)}
              entry={entry}
              isCurrent={index === current}
              choose={() => setChosen(index)}
              run={() => run(entry)}
            />
          ))}
        </SearchedProvider>
      </ul>
      <p className={styles.none} role="status">
        {found.length === 0 ? texts.palette.none : ''}
      </p>
    </>
  );
}

type EntryProps = { id: string; entry: PaletteEntry; isCurrent: boolean; choose(): void; run(): void };

function Entry({ id, entry, isCurrent, choose, run }: EntryProps) {
  const Icon = ICONS[entry.kind];
  return (
    <li
      id={id}
      className={`${parts.middle3} ${styles.entry}`}
      role="option"
      aria-selected={isCurrent}
      ref={isCurrent ? scrollHere : undefined}
      onMouseMove={choose}
      onClick={run}
    >
      <Icon size={16} aria-hidden="true" />
      <span className={`${parts.clip} ${styles.words}`}>
        <Marked text={entry.words} />
      </span>
      <span className={`${parts.figures} ${styles.hint}`}>
        <Marked text={entry.hint} />
      </span>
    </li>
  );
}

function scrollHere(entry: HTMLElement | null): void {
  entry?.scrollIntoView({ block: 'nearest' });
}

/** Maximum number of results. People do not read more, and each result takes time to draw. */
const MAX_ENTRIES = 20;

/**
 * Returns the entries that match the typed text, best first. Among equal matches, recent entries come first, then the
 * order of `entries` decides. If no text has been typed, recent entries come first, followed by the first other
 * entries.
 */
export function findEntries(
  entries: readonly PaletteEntry[],
  typed: string,
  recent: readonly string[],
): readonly PaletteEntry[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { entry: PaletteEntry; score: number; age: number; place: number }[] = [];
  for (const [place, entry] of entries.entries()) {
    const score = wanted.length === 0 ? 0 : scoreOf(entry, wanted);
    if (score === undefined) continue;
    const age = recent.indexOf(entry.id);
    found.push({ entry, score, age: age < 0 ? recent.length : age, place });
  }
  return found
    .toSorted((a, b) => a.score - b.score || a.age - b.age || a.place - b.place)
    .slice(0, MAX_ENTRIES)
    .map(({ entry }) => entry);
}

/** Number of station results that always get a place in the list, even if the page's own entries would fill it. */
const LEAST_FURTHER = 8;

/** Appends the station's search results to the page's own entries, without duplicates. */
export function withFurther(
  entries: readonly PaletteEntry[],
  further: readonly PaletteEntry[],
): readonly PaletteEntry[] {
  const known = new Set(entries.map(({ id }) => id));
  const added = further.filter(({ id }) => !known.has(id));
  const kept = entries.slice(0, MAX_ENTRIES - Math.min(added.length, LEAST_FURTHER));
  return [...kept, ...added.slice(0, MAX_ENTRIES - kept.length)];
}

/**
 * Rates a match; lower is better. From best to worst: the name equals the text; the name begins with the text; words
 * in the name begin with the typed words; words in the name, hint or `also` do; the name or hint contains the typed
 * words anywhere. Returns undefined if there is no match.
 */
function scoreOf({ words, hint, also = '' }: PaletteEntry, wanted: readonly string[]): number | undefined {
  const name = words.toLowerCase();
  if (name === wanted.join(' ')) return 0;
  const text = `${name} ${hint.toLowerCase()}`;
  if (name.startsWith(wanted.join(' '))) return 1;
  if (wanted.every((word) => beginsAWord(name, word))) return 2;
  if (wanted.every((word) => beginsAWord(`${text} ${also}`, word))) return 3;
  return wanted.every((word) => text.includes(word)) ? 4 : undefined;
}

function beginsAWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}
