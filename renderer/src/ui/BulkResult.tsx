import { FileSpreadsheet } from 'lucide-react';
import { writeCsv } from '#shared/lib/csv.ts';
import type { BulkRun } from './bulkOutcome.ts';
import parts from './parts.module.css';
import styles from './BulkResult.module.css';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { saveFile } from './download.ts';
import { texts } from './texts.ts';

const words = texts.bulk.result;
const MAX_DRAWN = 100;

type Props = {
  bulk: Pick<BulkRun<string>, 'outcome' | 'forget'>;
  /** Over the keys in the file. */
  keyField: string;
  /** What people call the one with this key, where that is something else. */
  nameOf?(key: string): string;
};

/** What did not work, one by one; nothing where all of it did. */
export function BulkResult({ bulk: { outcome, forget }, keyField, nameOf }: Props) {
  if (outcome === undefined) return null;
  const { done, failed, left, isCancelled } = outcome;

  function save(): void {
    const named = (key: string): string[] => (nameOf === undefined ? [key] : [key, nameOf(key)]);
    const rows = [
      [keyField, ...(nameOf === undefined ? [] : ['name']), 'result', 'detail'],
      ...done.map((key) => [...named(key), words.states.done, '']),
      ...failed.map((each) => [...named(each.key), words.states.failed, each.words]),
      ...left.map((key) => [...named(key), words.states.left, '']),
    ];
    saveFile('results.csv', 'text/csv;charset=utf-8', writeCsv(rows));
  }

  return (
    <Dialog
      title={isCancelled ? words.cancelled : words.title}
      isOpen
      onClose={forget}
      actions={
        <>
          <Button icon={FileSpreadsheet} words={words.csv} onPress={save} />
          <Button words={words.seen} look="primary" onPress={forget} autoFocus />
        </>
      }
    >
      <p>
        {words.summary(done.length, failed.length, left.length)} {words.kept}
      </p>
      {failed.length > 0 && (
        <ul className={`${parts.panel} ${styles.list}`} aria-label={words.list}>
          {failed.slice(0, MAX_DRAWN).map((each) => (
            <li key={each.key}>
              <strong>{nameOf?.(each.key) ?? each.key}</strong> {each.words}
            </li>
          ))}
          {failed.length > MAX_DRAWN && <li>{words.more(failed.length - MAX_DRAWN)}</li>}
        </ul>
      )}
    </Dialog>
  );
}
