import { ListOrdered, Plus } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { NewSequence } from '#shared/api/sequence.ts';
import { sequenceAddress, useRouteId } from '../../station/addresses.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import type { NamedDevice } from '../../station/places.ts';
import { useSequences } from '../../station/useWork.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Moment } from '../../shop/Moment.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import * as texts from '../../words/texts.ts';
import { useListParams } from '../../kit/list/useListParams.ts';
import { NoWork } from '../../shop/work/Notice.tsx';
import { workColumns, type WorkFacts } from '../../shop/work/workColumns.tsx';
import { type WorkKind, WorkPage } from '../../shop/work/WorkPage.tsx';
import { NewSequenceDialog } from './SequenceDialog.tsx';
import { sequenceMenu, SequenceQuestionDialog, type SequenceActions, useSequenceActions } from './sequenceMenu.tsx';
import * as table from './sequenceRows.ts';
import { SequenceView } from './SequenceView.tsx';

/** The Sequences page, which shows the list or one sequence. */
export function SequencesPage() {
  const id = useRouteId();
  return id === undefined ? <SequencesView /> : <SequenceView key={id} id={id} />;
}

const words = texts.sequences;

/** Returns the progress of a sequence for its row. */
function factsOf({ key, sequence }: table.SequenceTableRow): WorkFacts {
  const { state, acknowledged_count: done, step_count: all, active_count: lit, halted_count: halted } = sequence;
  const { start_time: started } = sequence;
  return {
    name: key,
    address: sequenceAddress(key),
    state: { tone: table.SEQUENCE_TONES[state], words: words.states[state] },
    progress: { done, all },
    said: words.progressOf(done, all),
    notes: words.counts(lit, halted),
    isCare: halted > 0,
    figure: started === null ? texts.work.never : <Moment at={started} />,
    created: sequence.created_time,
  };
}

type SequenceColumn = keyof typeof words.columns;

const COLUMNS = workColumns<table.SequenceTableRow, SequenceColumn, SequenceActions>(factsOf, [
  { id: 'sequence', part: 'name', words: words.columns.sequence, sort: ({ key }) => key, isName: true },
  {
    id: 'state',
    part: 'state',
    words: words.columns.state,
    sort: ({ sequence: { state } }) => table.STATE_RANK.indexOf(state),
  },
  {
    id: 'progress',
    part: 'progress',
    words: words.columns.progress,
    sort: ({ sequence }) => sequence.acknowledged_count / Math.max(1, sequence.step_count),
  },
  {
    id: 'started',
    part: 'figures',
    words: words.columns.started,
    sort: ({ sequence: { start_time } }) => start_time,
  },
  {
    id: 'created',
    part: 'when',
    words: words.columns.created,
    sort: ({ sequence: { created_time } }) => created_time,
  },
]);

const SEQUENCES: WorkKind<table.SequenceTableRow, table.SequenceFilter, SequenceColumn, SequenceActions> = {
  words,
  keyField: 'sequenceid',
  address: sequenceAddress,
  rows: table.SEQUENCE_ROWS,
  columns: COLUMNS,
  menuOf: ({ sequence }, actions) => sequenceMenu(sequence, actions),
  said: 'stalled',
  sorted: { by: 'state', descending: false },
  isGoing: ({ sequence }) => sequence.active_count > 0,
};

/** The list of sequences, with a button to create one. */
function SequencesView() {
  const { api } = useStationContext();
  const loaded = useSequences();
  const mayEdit = useRight('edit_sequences');
  const { view, open } = useListParams(table.SEQUENCE_FILTERS, 'all');
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const sequences = useDeferredValue(loaded.value);
  const rows = useMemo(() => sequences && table.listSequenceRows(sequences), [sequences]);
  const { actions, asking } = useSequenceActions();

  const add = () => open('new');
  usePaletteActions(mayEdit ? [{ id: 'sequences.add', words: words.add, run: add }] : []);

  return (
    <WorkPage
      kind={SEQUENCES}
      rows={rows}
      loaded={loaded}
      actions={actions}
      ways={{
        launch: async (id) => void (await api.launchSequence({ path: { seqID: id } })),
        ...(mayEdit ? { remove: (id: string) => api.removeSequence({ path: { seqID: id } }) } : {}),
      }}
      buttons={<Button icon={Plus} words={words.add} look="primary" needs="edit_sequences" onPress={add} />}
      nothing={
        <NoWork
          mayMake={mayEdit}
          words={words.empty}
          picture={<ListOrdered size={40} strokeWidth={1.6} />}
          make={async (places) => {
            const { sequenceid: id } = await api.addSequence({
              body: exampleSequence(places, words.empty.exampleName),
            });
            return sequenceAddress(id);
          }}
        />
      }
    >
      {view === 'new' && mayEdit && (
        <NewSequenceDialog from={params.get('from') ?? undefined} close={() => navigate('/connections/sequences')} />
      )}
      <SequenceQuestionDialog asking={asking} />
    </WorkPage>
  );
}

const exampleSequenceWords = texts.sequences.empty;
/** The order of each step in the example: one step, then two steps together, then the last step. */
const ORDERS = [1, 2, 2, 3];

/** Creates an example sequence for the first devices by name. */
function exampleSequence(places: readonly NamedDevice[], sequenceid: string): NewSequence {
  return {
    sequenceid,
    steps: ORDERS.flatMap((order, index) => {
      const place = places[index];
      if (place === undefined) return [];
      const { deviceid, name } = place;
      return [
        {
          order,
          ...(name === deviceid ? { device: deviceid } : { location: name }),
          command: 'flash',
          line1: exampleSequenceWords.exampleLines[index] ?? '',
          color: 'blue',
          seconds: 300,
        },
      ];
    }),
  };
}
