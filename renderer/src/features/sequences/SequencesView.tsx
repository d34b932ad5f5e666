import { ListOrdered, Plus } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useRight, useStationContext } from '../../station/context.ts';
import { useSequences } from '../../station/useWork.ts';
import { Button } from '../../ui/Button.tsx';
import { usePaletteActions } from '../../ui/paletteActions.ts';
import { texts } from '../../ui/texts.ts';
import { useListParams } from '../../ui/useListParams.ts';
import { sequenceAddress } from '../../station/addresses.ts';
import { NoWork } from '../work/NoWork.tsx';
import { WorkPage, type WorkKind } from '../work/WorkPage.tsx';
import { exampleSequence } from './exampleSequence.ts';
import { NewSequenceDialog } from './SequenceDialog.tsx';
import { SequenceLine } from './SequenceLine.tsx';
import { SequenceQuestionDialog } from './SequenceQuestionDialog.tsx';
import {
  countSequences,
  isSequenceLeft,
  listSequenceRows,
  SEQUENCE_COLUMNS,
  SEQUENCE_FILTERS,
  sortSequences,
  type SequenceFilter,
  type SequenceRow,
  type SequenceSort,
} from './sequenceRows.ts';
import { useSequenceActions, type SequenceActions } from './useSequenceActions.ts';

const words = texts.sequences;

const SEQUENCES: WorkKind<SequenceRow, SequenceFilter, SequenceSort['by'], SequenceActions> = {
  words,
  keyField: 'sequenceid',
  address: sequenceAddress,
  filters: SEQUENCE_FILTERS,
  count: countSequences,
  isLeft: isSequenceLeft,
  said: 'stalled',
  columns: SEQUENCE_COLUMNS,
  sort: sortSequences,
  sorted: { by: 'state', descending: false },
  line: SequenceLine,
  isGoing: ({ sequence }) => sequence.active_count > 0,
};

/** The list of sequences, and what makes one. */
export function SequencesView() {
  const { api } = useStationContext();
  const { rows: known, failure, reload } = useSequences();
  const mayEdit = useRight('edit_sequences');
  const { view, open } = useListParams(SEQUENCE_FILTERS, 'all');
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const sequences = useDeferredValue(known);
  const rows = useMemo(() => sequences && listSequenceRows(sequences), [sequences]);
  const { actions, asking } = useSequenceActions();

  const add = () => open('new');
  usePaletteActions(mayEdit ? [{ id: 'sequences.add', words: words.add, run: add }] : []);

  return (
    <WorkPage
      kind={SEQUENCES}
      rows={rows}
      failure={failure}
      reload={reload}
      actions={actions}
      ways={{
        launch: async (id) => void (await api.launchSequence(id, { restart: false })),
        ...(mayEdit ? { remove: (id: string) => api.removeSequence(id) } : {}),
      }}
      buttons={
        <Button look="primary" needs="edit_sequences" onPress={add}>
          <Plus size={16} aria-hidden="true" />
          {words.add}
        </Button>
      }
      nothing={
        <NoWork
          mayMake={mayEdit}
          words={words.empty}
          picture={<ListOrdered size={40} strokeWidth={1.6} />}
          make={async (places) => {
            const { sequenceid: id } = await api.addSequence(exampleSequence(places, words.empty.exampleId(1)));
            return sequenceAddress(id);
          }}
        />
      }
    >
      {view === 'new' && mayEdit && (
        <NewSequenceDialog from={params.get('from') ?? undefined} close={() => navigate('/sequences')} />
      )}
      <SequenceQuestionDialog asking={asking} />
    </WorkPage>
  );
}
