import { Plus } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './AddRow.module.css';

type Props<K extends string> = {
  fields: readonly { id: K; word: string }[];
  /** The one that was taken away just now: who did that goes on here. */
  removed: K | undefined;
  add(field: K): void;
};

/** What a form can have beside what it shows: one press away, and in sight. */
export function AddRow<K extends string>({ fields, removed, add }: Props<K>) {
  if (fields.length === 0) return null;
  return (
    <div role="group" aria-label={texts.form.add} className={styles.row}>
      {fields.map(({ id, word }) => (
        <Button key={id} autoFocus={id === removed} aria-label={texts.form.addField(word)} onPress={() => add(id)}>
          <Plus size={14} aria-hidden="true" />
          {word}
        </Button>
      ))}
    </div>
  );
}
