import type { BoardJob, BoardUpdate } from '#shared/api/board.ts';
import { useStationContext } from '../../station/context.ts';
import { useAttempt } from '../../shop/toasts.ts';
import { Button } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { BoardHead } from './BoardJobCard.tsx';
import card from './Card.module.css';

const words = texts.turbos.boards.update;

/** Lists boards whose firmware differs from the station's, with a button to update them. */
export function BoardUpdates({
  updates,
  onStarted,
}: {
  updates: readonly BoardUpdate[];
  onStarted(jobs: readonly BoardJob[]): void;
}) {
  const { api } = useStationContext();
  const { busy, run } = useAttempt(words.failed, async () =>
    onStarted(await api.updateBoards({ body: { turbos: updates.map(({ turbo }) => turbo) } })),
  );
  const names = updates.map(({ name, turbo }) => (name === '' ? turbo : name));

  return (
    <li className={`${parts.column4} ${parts.card} ${card.card}`} aria-label={words.title(updates.length)}>
      <BoardHead title={words.title(updates.length)} note={names.join(', ')} />
      <p>{words.lead}</p>
      <footer className={`${parts.row} ${card.actions}`}>
        <Button look="primary" isDisabled={busy} onPress={run}>
          {words.start}
        </Button>
      </footer>
    </li>
  );
}
