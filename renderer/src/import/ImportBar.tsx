import { Check, Redo2, Undo2, X } from 'lucide-react';
import { useAct } from '../useAct.ts';
import { useState } from 'react';
import type { ImportEntry, ImportUndoForecast } from '#shared/api/imports.ts';
import type { Right } from '#shared/api/rights.ts';
import { Button } from '../kit/button/Button.tsx';
import { ConfirmDialog, Dialog } from '../kit/dialog/Dialog.tsx';
import list from '../kit/list/BulkResult.module.css';
import parts from '../kit/parts.module.css';
import { useServices } from '../shop/toasts.ts';
import { useStationState } from '../station/context.ts';
import { useTimed } from '../station/time.ts';
import { useStationQuery } from '../station/useStationQuery.ts';
import { browserStorage } from '../storage.ts';
import { untilWords } from '../words/moments.ts';
import { plainSentence } from '../words/plainSentence.ts';
import * as texts from '../words/texts.ts';
import styles from './ImportBar.module.css';

const words = texts.importing;

type Props = {
  /** When the file was imported. */
  at: string;
  /** Returns a sentence about what was imported. `when` is a time or a date. */
  done(when: string): string;
  /** Other effects of the import and the rows that it left out. */
  more: string;
  needs: Right;
  /** Asks whether to undo the import. Undefined if the import cannot be undone. */
  undo: (() => Promise<void>) | undefined;
  hide(): void;
};

/** How long the bar of an import is shown, in milliseconds. */
const SHOWN_MS = 60 * 60_000;

/** Describes the last import and offers to undo it, for an hour. */
export function ImportBar({ at, done, more, needs, undo, hide }: Props) {
  const { busy, run } = useAct(async () => undo?.());
  // Empty once the hour has passed.
  const when = useTimed((now) => (now - Date.parse(at) < SHOWN_MS ? untilWords(Date.parse(at), now) : ''));
  if (when === '') return null;
  return (
    <section className={`${parts.panel} ${styles.bar}`} aria-label={words.last}>
      <Check size={18} aria-hidden="true" />
      <p role="status">
        <span className={parts.medium}>{done(when)}</span> <span className={parts.quiet}>{more}</span>
      </p>
      {undo !== undefined && <Button icon={Undo2} words={words.undo} needs={needs} busy={busy} onPress={() => run()} />}
      <Button icon={X} look="icon" aria-label={words.hide} onPress={hide} />
    </section>
  );
}

const MAX_DRAWN = 200;

type UndoWords = {
  kind: ImportEntry['kind'];
  /** Names a number of orders, articles or places. */
  things(many: number): string;
  undone(many: number, kept: number): string;
  keptTitle: string;
};

type Kept = readonly { name: string; message: string }[];

/**
 * Undoes imports, and calls `ended` afterwards. `undo` first asks with what would go and what would be kept. The returned `dialogs` contain
 * this question, then what the undo did not change, and why, and a bar with which the last undo can itself be undone.
 */
export function useImportUndo(said: UndoWords, ended: () => unknown = () => undefined) {
  const { api, toasts } = useServices();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [kept, setKept] = useState<{ title: string; list: Kept }>({ title: '', list: [] });
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const undone = useStationQuery(['undoneImport', said.kind, me], () => api.loadUndoneImport(said.kind, me));

  async function run(id: number): Promise<void> {
    try {
      const result = await api.undoImport(id);
      toasts.show(said.undone(result.undone, result.kept.length));
      setKept({ title: said.keptTitle, list: result.kept });
    } finally {
      undone.reload();
      await ended();
    }
  }

  async function redo(id: number): Promise<void> {
    await toasts.attempt(words.redoFailed, async () => {
      try {
        const result = await api.redoImport({ path: { id } });
        toasts.show(words.redone(said.things(result.redone), result.kept.length));
        setKept({ title: words.notRedone, list: result.kept });
      } finally {
        undone.reload();
        await ended();
      }
    });
  }

  return {
    async undo(id: number): Promise<void> {
      await toasts.attempt(words.undoFailed, async () => {
        const { undo } = await api.getImport({ path: { id }, query: { limit: 1 } });
        // The station refuses the undo, for example because somebody else has undone the import.
        if (undo === null) await run(id);
        else setAsked({ id, undo });
      });
    },
    dialogs: (
      <>
        {asked !== null && (
          <ConfirmDialog
            title={words.undoAsk.title}
            body={<Forecast undo={asked.undo} things={said.things} />}
            confirm={words.undo}
            danger
            isOpen
            onConfirm={() => run(asked.id)}
            onClose={() => setAsked(null)}
          />
        )}
        {undone.value !== undefined && undone.value !== null && (
          <UndoneBar undone={undone.value} needs={RIGHTS[said.kind]} redo={redo} />
        )}
        <Dialog title={kept.title} isOpen={kept.list.length > 0} onClose={() => setKept({ ...kept, list: [] })}>
          <ul className={`${parts.panel} ${list.list}`}>
            {kept.list.slice(0, MAX_DRAWN).map(({ name, message }) => (
              <li key={name}>
                <strong>{name}</strong> {plainSentence(message)}
              </li>
            ))}
          </ul>
        </Dialog>
      </>
    ),
  };
}

const RIGHTS = {
  orders: 'import_orders',
  articles: 'edit_stock',
  locations: 'import_locations',
} as const satisfies Record<ImportEntry['kind'], Right>;

type UndoneProps = { undone: ImportEntry; needs: Right; redo(id: number): Promise<void> };

/** Offers to restore an import that was undone, until the station no longer can. */
function UndoneBar({ undone: { id, kind, undone_time: at, redo_until: until }, needs, redo }: UndoneProps) {
  const { busy, run } = useAct(() => redo(id));
  const { isHidden, hide } = useHiddenImport(`${kind}.hiddenUndone`, { id, at: at ?? '' });
  const when = useTimed((now) => (now < Date.parse(until ?? '') ? untilWords(Date.parse(at ?? ''), now) : ''));
  if (when === '' || isHidden) return null;
  return (
    <section className={`${parts.panel} ${styles.bar}`} aria-label={words.undoneBar}>
      <Undo2 size={18} aria-hidden="true" />
      <p role="status">
        <span className={parts.medium}>{words.undone(when)}</span> {words.byMistake}
      </p>
      <Button icon={Redo2} words={words.redo} needs={needs} busy={busy} onPress={() => run()} />
      <Button icon={X} look="icon" aria-label={words.hide} onPress={hide} />
    </section>
  );
}

type Asked = { id: number; undo: ImportUndoForecast };

/** Tells what an undo would remove, restore and keep. */
function Forecast({ undo: { removed, restored, kept }, things }: Pick<Asked, 'undo'> & Pick<UndoWords, 'things'>) {
  const ask = words.undoAsk;
  return (
    <>
      {removed.count > 0 && <p>{ask.removes(things(removed.count), removed)}</p>}
      {restored.count > 0 && <p>{ask.restores(things(restored.count), restored)}</p>}
      {removed.count + restored.count === 0 && <p>{ask.nothing}</p>}
      {kept.count > 0 && (
        <>
          <p>{ask.keeps(things(kept.count))}</p>
          <ul className={`${parts.panel} ${list.list}`}>
            {kept.reasons.map(({ message, ...group }) => (
              <li key={message}>
                <strong>{ask.names(group)}</strong> {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Remembers in this browser that somebody hid the bar of an import. `key` is the storage key. */
export function useHiddenImport(key: string, last: { id: number; at: string } | null) {
  const [hidden, setHidden] = useState(() => browserStorage().get(key));
  // Include the time, because ids start at 1 again if the station at this address uses a new data folder.
  const mark = last === null ? '' : `${last.id} ${last.at}`;
  return {
    isHidden: last === null || hidden === mark,
    hide() {
      browserStorage().set(key, mark);
      setHidden(mark);
    },
  };
}
