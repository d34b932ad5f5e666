import { Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { BulkBar } from '../../ui/BulkBar.tsx';
import { askForEach } from '../../ui/bulkOutcome.ts';
import { BulkResult } from '../../ui/BulkResult.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { useBulkRun } from '../../ui/useBulkRun.ts';
import type { ChosenRows } from '../../ui/useChosenRows.ts';

const ICON = 16;
const words = texts.work.bulk;

type Kind = 'launch' | 'remove';

type Way = (key: string) => Promise<void>;

/** Does it to the one with this key. Without the right to remove, `remove` is missing. */
export type WorkWays = { launch: Way; remove?: Way };

type Props = {
  said: typeof texts.orders.bulk | typeof texts.sequences.bulk;
  choice: ChosenRows;
  /** How the API calls the key of one. */
  keyField: string;
  /** How many of them go on now: deleting them ends that. */
  going: number;
  ways: WorkWays;
};

/** What can be done with all orders or sequences that are chosen, the question before they are deleted, and what did not work. */
export function WorkBulk({ said, choice: { keys, hidden, choose, clear }, keyField, going, ways }: Props) {
  const toasts = useToasts();
  const [asksRemove, setAsksRemove] = useState(false);
  const bulk = useBulkRun<Kind>((kind, done, isWhole) => {
    if (isWhole) toasts.say(said.done[kind](done.length));
    // What did not work stays chosen, to try again.
    choose(done, false);
  });

  function run(kind: Kind): void {
    const way = ways[kind];
    if (way === undefined) return;
    void bulk.begin(kind, keys.length, (progress, isCancelled) => askForEach(keys, way, progress, isCancelled));
  }

  return (
    <>
      <BulkBar said={said} many={keys.length} hidden={hidden} bulk={bulk} clear={clear}>
        <Button onPress={() => run('launch')}>
          <Play size={ICON} aria-hidden="true" />
          {words.launch}
        </Button>
        {ways.remove !== undefined && (
          <Button onPress={() => setAsksRemove(true)}>
            <Trash2 size={ICON} aria-hidden="true" />
            {words.remove}
          </Button>
        )}
      </BulkBar>
      <ConfirmDialog
        title={said.askTitle(keys.length)}
        body={said.askBody(going)}
        confirm={words.confirm}
        danger
        isOpen={asksRemove}
        // It goes on behind the dialog, with how far it is.
        onConfirm={() => run('remove')}
        onClose={() => setAsksRemove(false)}
      />
      <BulkResult bulk={bulk} keyField={keyField} />
    </>
  );
}
