import { useState } from 'react';
import type { BoardJob, BoardUpdate } from '#shared/api/board.ts';
import { useServices } from '../../shop/toasts.ts';
import { Button } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { BoardHead } from './BoardJobCard.tsx';
import card from './Card.module.css';

const words = texts.turbos.boards.update;

/** Boards whose firmware differs from the station's, with a button to update them. */
export function BoardUpdates({
  updates,
  onStarted,
}: {
  updates: readonly BoardUpdate[];
  onStarted(jobs: readonly BoardJob[]): void;
}) {
  const { api, toasts } = useServices();
  const [isAsked, setIsAsked] = useState(false);
  const names = updates.map(({ name, turbo }) => (name === '' ? turbo : name));

  async function start(): Promise<void> {
    setIsAsked(true);
    try {
      onStarted(await api.updateBoards({ turbos: updates.map(({ turbo }) => turbo) }));
    } catch (error) {
      toasts.fail(words.failed, error);
    } finally {
      setIsAsked(false);
    }
  }

  return (
    <li className={`${parts.column4} ${parts.card} ${card.card}`} aria-label={words.title(updates.length)}>
      <BoardHead title={words.title(updates.length)} note={names.join(', ')} />
      <p>{words.lead}</p>
      <footer className={`${parts.row} ${card.actions}`}>
        <Button look="primary" isDisabled={isAsked} onPress={() => void start()}>
          {words.start}
        </Button>
      </footer>
    </li>
  );
}
