import { ListOrdered, Plus } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useSequences } from '../../station/useWork.ts';
import { Button } from '../../ui/Button.tsx';
import { Count } from '../../ui/Count.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePaletteActions } from '../../ui/paletteActions.ts';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import styles from '../../ui/TablePage.module.css';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { useFindKey } from '../../ui/useFindKey.ts';
import { BulkResult } from '../devices/BulkDialogs.tsx';
import { sequenceAddress } from '../work/addresses.ts';
import { ListState } from '../work/ListState.tsx';
import { useChosenRows } from '../work/useChosenRows.ts';
import { useListParams } from '../work/useListParams.ts';
import { useWorkBulk } from '../work/useWorkBulk.ts';
import { WorkBulkBar } from '../work/WorkBulkBar.tsx';
import { exampleSequence } from './exampleSequence.ts';
import { NewSequenceDialog } from './SequenceDialog.tsx';
import { SequenceQuestionDialog } from './SequenceQuestionDialog.tsx';
import {
  countSequences,
  findSequenceRows,
  listSequenceRows,
  SEQUENCE_FILTERS,
  sortSequences,
  type SequenceSort,
} from './sequenceRows.ts';
import { SequenceTable } from './SequenceTable.tsx';
import { useSequenceActions } from './useSequenceActions.ts';

const words = texts.sequences;
const NONE: readonly never[] = [];

/** The list of sequences, and what makes one. */
export function SequencesView() {
  const { api } = useStationContext();
  const { rows: known, failure, reload } = useSequences();
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const mayControl = useStationState(({ station }) => station?.user.scope !== 'read');
  const { filter, setFilter, view, open } = useListParams(SEQUENCE_FILTERS, 'all');
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<SequenceSort>({ by: 'state', descending: false });
  const typed = useDeferredValue(search);
  const input = useRef<HTMLInputElement>(null);
  useFindKey(input);
  const sequences = useDeferredValue(known);
  const rows = useMemo(() => listSequenceRows(sequences ?? NONE), [sequences]);
  const counts = useMemo(() => countSequences(rows), [rows]);
  const shown = useMemo(() => {
    const left = filter === 'all' ? rows : rows.filter(({ sequence }) => sequence.state === filter);
    return findSequenceRows(sortSequences(left, sort), typed);
  }, [rows, filter, typed, sort]);
  const { chosen, keys, hidden, choose, clear } = useChosenRows(rows, shown);
  const { actions, asking } = useSequenceActions();
  const bulk = useWorkBulk(
    {
      launch: async (id) => void (await api.launchSequence(id, { restart: false })),
      remove: (id) => api.removeSequence(id),
    },
    words.bulk.done,
    (done) => choose(done, false),
  );
  const [asksRemove, setAsksRemove] = useState(false);
  const isFiltered = filter !== 'all' || typed.trim() !== '';
  const running = rows.reduce(
    (count, { key, sequence }) => count + Number(chosen.has(key) && sequence.active_count > 0),
    0,
  );

  const add = () => open('new');
  usePaletteActions(mayControl ? [{ id: 'sequences.add', words: words.add, run: add }] : []);

  return (
    <div className={styles.page} data-stale={stale || undefined}>
      <PageHeader
        title={words.title}
        note={
          <span role="status">
            {rows.length > 0 &&
              (isFiltered ? words.some(shown.length, rows.length) : words.summary(rows.length, counts.stalled))}
          </span>
        }
      >
        {rows.length > 0 && (
          <SearchBox
            label={words.search}
            clearLabel={words.clearSearch}
            input={input}
            value={search}
            onChange={setSearch}
            onSubmit={() => {
              const [first] = shown;
              if (first !== undefined && typed.trim() !== '') navigate(sequenceAddress(first.key));
            }}
          />
        )}
        {mayControl && sequences !== undefined && (
          <Button look="primary" onPress={add}>
            <Plus size={16} aria-hidden="true" />
            {words.add}
          </Button>
        )}
      </PageHeader>
      {sequences === undefined ? (
        <main className={styles.empty}>
          <ListState failure={failure} reload={reload} />
        </main>
      ) : rows.length === 0 ? (
        <main className={styles.empty}>
          <NoSequences mayControl={mayControl} />
        </main>
      ) : (
        <main className={styles.content}>
          <div className={styles.strip}>
            <Segments
              label={words.filters.title}
              value={filter}
              onChange={setFilter}
              choices={SEQUENCE_FILTERS.map((id) => ({
                id,
                words: <Count words={words.filters[id]} count={counts[id]} />,
              }))}
            />
          </div>
          {shown.length === 0 ? (
            <div className={styles.none}>
              <h2>{typed.trim() === '' ? words.noneOf[filter] : words.noMatch}</h2>
              {typed.trim() !== '' && <p>{words.noMatchHint}</p>}
              <Button
                onPress={() => {
                  setSearch('');
                  setFilter('all');
                }}
              >
                {words.showAll}
              </Button>
            </div>
          ) : (
            <SequenceTable
              rows={shown}
              sort={sort}
              onSort={setSort}
              chosen={chosen}
              choose={choose}
              mayChoose={mayControl}
              actions={actions}
            />
          )}
        </main>
      )}
      {(keys.length > 0 || bulk.running !== undefined) && (
        <WorkBulkBar
          said={words.bulk}
          keys={keys}
          hidden={hidden}
          bulk={bulk}
          askRemove={() => setAsksRemove(true)}
          clear={clear}
        />
      )}
      <ConfirmDialog
        title={words.bulk.askTitle(keys.length)}
        body={words.bulk.askBody(running)}
        confirm={words.ask.confirm}
        danger
        isOpen={asksRemove}
        onConfirm={() => {
          // It goes on behind the dialog, with how far it is.
          void bulk.run('remove', keys);
        }}
        onClose={() => setAsksRemove(false)}
      />
      {bulk.outcome !== undefined && <BulkResult outcome={bulk.outcome} nameOf={(id) => id} close={bulk.forget} />}
      {view === 'new' && mayControl && (
        <NewSequenceDialog from={params.get('from') ?? undefined} close={() => navigate('/sequences')} />
      )}
      <SequenceQuestionDialog asking={asking} />
    </div>
  );
}

function NoSequences({ mayControl }: { mayControl: boolean }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const places = useStationState((state) => state.places);
  const [busy, setBusy] = useState(false);
  const [first] = places;

  async function make(): Promise<void> {
    setBusy(true);
    try {
      const { sequenceid: id } = await api.addSequence(exampleSequence(places, words.empty.exampleId(1)));
      navigate(sequenceAddress(id));
    } catch (error) {
      toasts.fail(sentenceOf(error, texts.failure.other));
      setBusy(false);
    }
  }

  const mayMake = mayControl && first !== undefined;
  return (
    <EmptyState
      picture={<ListOrdered size={40} strokeWidth={1.6} />}
      title={words.empty.title}
      body={
        <>
          <p>{words.empty.body}</p>
          {mayMake && <p>{words.empty.exampleHint(first.name)}</p>}
        </>
      }
      action={
        mayMake && (
          <Button look="primary" busy={busy} onPress={() => void make()}>
            {words.empty.example}
          </Button>
        )
      }
    />
  );
}
