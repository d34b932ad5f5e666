import { CircuitBoard } from 'lucide-react';
import type { BoardJob } from '#shared/api/board.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import { Progress } from '../../kit/feedback/Progress.tsx';
import * as texts from '../../words/texts.ts';
import card from './Card.module.css';

const words = texts.turbos.boards;
const ASK_EVERY_MS = 300;

export function BoardHead({ title, note }: { title: string; note: string }) {
  return (
    <header className={parts.middle3}>
      <span className={card.sign} aria-hidden="true">
        <CircuitBoard size={20} strokeWidth={1.8} />
      </span>
      <div className={card.title}>
        <h2>{title}</h2>
        <p className={card.status}>{note}</p>
      </div>
    </header>
  );
}

/** Shows the progress of a board's job and then its result, until the person closes it. */
export function BoardJobCard({ first, onClose }: { first: BoardJob; onClose(): void }) {
  const { api } = useStationContext();
  const { value: job = first } = useStationQuery(
    ['boardJob', first.id],
    () => api.getBoardJob({ path: { id: first.id } }),
    {
      everyMs: (now) => (now === undefined || now.state === 'running' ? ASK_EVERY_MS : false),
    },
  );
  const { kind, state, step, progress, problem, warnings = [] } = job;
  const about = kind === 'update' ? (job.turbo ?? '') : job.port;
  return (
    <li className={`${parts.column4} ${parts.card} ${card.card}`} aria-label={about}>
      <BoardHead title={words.states[kind][state]} note={about} />
      {state === 'running' ? (
        <Progress
          label={words.steps[step]}
          value={progress}
          max={1}
          said={step === 'writing' || step === 'verifying' ? `${Math.round(progress * 100)} %` : ''}
          onCancel={() => void api.cancelBoardJob({ path: { id: job.id } })}
        />
      ) : (
        <>
          <p role={state === 'failed' ? 'alert' : 'status'}>
            {[problem ?? words.endings[kind], ...warnings].join(' ')}
          </p>
          <footer className={`${parts.row} ${card.actions}`}>
            <Button onPress={onClose}>{words.close}</Button>
          </footer>
        </>
      )}
    </li>
  );
}
