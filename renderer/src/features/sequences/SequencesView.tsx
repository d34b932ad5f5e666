import { ListOrdered, Plus } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useSequences } from '../../station/useWork.ts';
import { Button } from '../../ui/Button.tsx';
import { usePaletteActions } from '../../ui/paletteActions.ts';
import { TablePage } from '../../ui/TablePage.tsx';
import { texts } from '../../ui/texts.ts';
import { useChosenRows } from '../../ui/useChosenRows.ts';
import { useListParams } from '../../ui/useListParams.ts';
import { useSearch } from '../../ui/useSearch.ts';
import { sequenceAddress } from '../work/addresses.ts';
import { ListState } from '../work/ListState.tsx';
import { NoWork } from '../work/NoWork.tsx';
import { WorkBulk } from '../work/WorkBulk.tsx';
import { findRows } from '../work/workRows.ts';
import { WorkTable } from '../work/WorkTable.tsx';
import { exampleSequence } from './exampleSequence.ts';
import { NewSequenceDialog } from './SequenceDialog.tsx';
import { SequenceLine } from './SequenceLine.tsx';
import { SequenceQuestionDialog } from './SequenceQuestionDialog.tsx';
import {
  countSequences,
  listSequenceRows,
  SEQUENCE_COLUMNS,
  SEQUENCE_FILTERS,
  sortSequences,
  type SequenceSort,
} from './sequenceRows.ts';
import { useSequenceActions } from './useSequenceActions.ts';

const words = texts.sequences;
const NONE: readonly never[] = [];

/** The list of sequences, and what makes one. */
export function SequencesView() {
  const { api } = useStationContext();
  const { rows: known, failure, reload } = useSequences();
  const mayControl = useStationState(({ station }) => station?.user.scope !== 'read');
  const { filter, setFilter, view, open } = useListParams(SEQUENCE_FILTERS, 'all');
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const search = useSearch();
  const [sort, setSort] = useState<SequenceSort>({ by: 'state', descending: false });
  const sequences = useDeferredValue(known);
  const rows = useMemo(() => listSequenceRows(sequences ?? NONE), [sequences]);
  const counts = useMemo(() => countSequences(rows), [rows]);
  const shown = useMemo(() => {
    const left = filter === 'all' ? rows : rows.filter(({ sequence }) => sequence.state === filter);
    return findRows(sortSequences(left, sort), search.typed);
  }, [rows, filter, search.typed, sort]);
  const chosen = useChosenRows(rows, shown);
  const { actions, asking } = useSequenceActions();

  const add = () => open('new');
  usePaletteActions(mayControl ? [{ id: 'sequences.add', words: words.add, run: add }] : []);

  return (
    <TablePage
      words={words}
      note={
        rows.length > 0 &&
        (filter === 'all' && search.isEmpty
          ? words.summary(rows.length, counts.stalled)
          : words.some(shown.length, rows.length))
      }
      search={search}
      hasSearch={rows.length > 0}
      onSubmit={() => {
        const [first] = shown;
        if (first !== undefined && !search.isEmpty) navigate(sequenceAddress(first.key));
      }}
      buttons={
        mayControl &&
        sequences !== undefined && (
          <Button look="primary" onPress={add}>
            <Plus size={16} aria-hidden="true" />
            {words.add}
          </Button>
        )
      }
      instead={
        sequences === undefined ? (
          <ListState failure={failure} reload={reload} />
        ) : rows.length === 0 ? (
          <NoSequences />
        ) : undefined
      }
      filter={{ filters: SEQUENCE_FILTERS, counts, value: filter, onChange: setFilter }}
      table={
        shown.length > 0 && (
          <WorkTable
            words={words}
            columns={SEQUENCE_COLUMNS}
            line={SequenceLine}
            rows={shown}
            sort={sort}
            onSort={setSort}
            chosen={chosen.chosen}
            choose={chosen.choose}
            mayChoose={mayControl}
            actions={actions}
          />
        )
      }
    >
      <WorkBulk
        said={words.bulk}
        chosen={chosen}
        going={rows.filter(({ key, sequence }) => chosen.chosen.has(key) && sequence.active_count > 0).length}
        ways={{
          launch: async (id) => void (await api.launchSequence(id, { restart: false })),
          remove: (id) => api.removeSequence(id),
        }}
      />
      {view === 'new' && mayControl && (
        <NewSequenceDialog from={params.get('from') ?? undefined} close={() => navigate('/sequences')} />
      )}
      <SequenceQuestionDialog asking={asking} />
    </TablePage>
  );
}

function NoSequences() {
  const { api } = useStationContext();
  return (
    <NoWork
      words={words.empty}
      picture={<ListOrdered size={40} strokeWidth={1.6} />}
      make={async (places) => {
        const { sequenceid: id } = await api.addSequence(exampleSequence(places, words.empty.exampleId(1)));
        return sequenceAddress(id);
      }}
    />
  );
}
