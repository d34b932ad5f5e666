import { memo } from 'react';
import { texts } from '../../ui/texts.ts';
import { Moment } from '../../ui/Moment.tsx';
import { sequenceAddress } from '../../station/addresses.ts';
import { WorkLine } from '../work/WorkLine.tsx';
import { sequenceMenu } from './sequenceMenu.tsx';
import { SEQUENCE_TONES, type SequenceRow } from './sequenceRows.ts';
import type { SequenceActions } from './useSequenceActions.ts';

const words = texts.sequences;

type Props = { row: SequenceRow; isCurrent: boolean; actions: SequenceActions };

/** A sequence and where it stands. */
export const SequenceLine = memo(function SequenceLine({ row: { key, sequence }, isCurrent, actions }: Props) {
  const { state, acknowledged_count: done, step_count: all, active_count: lit, halted_count: halted } = sequence;
  const { start_time: started } = sequence;
  return (
    <WorkLine
      name={key}
      address={sequenceAddress(key)}
      isCurrent={isCurrent}
      state={{ tone: SEQUENCE_TONES[state], words: words.states[state] }}
      progress={{ done, all }}
      said={words.progressOf(done, all)}
      notes={words.counts(lit, halted)}
      isCare={halted > 0}
      figure={started === null ? texts.work.never : <Moment at={started} />}
      created={sequence.created_time}
      menu={sequenceMenu(sequence, actions)}
    />
  );
});
