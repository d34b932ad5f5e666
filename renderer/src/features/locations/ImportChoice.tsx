import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { DropZone, FileTrigger, isFileDropItem } from 'react-aria-components';
import { decodeCsv } from '#shared/lib/csv.ts';
import { Button } from '../../ui/Button.tsx';
import { LinesField } from '../../ui/fields.tsx';
import { ProblemForm } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './ImportView.module.css';

type Props = {
  typed: string;
  onType(text: string): void;
  /** What is wrong with what was chosen last; empty: nothing. */
  failure: string;
  check(csv: string): void;
};

const MOST_BYTES = 8 * 1024 * 1024;
const EXAMPLE = 'name;deviceid;deviceIs\nA-3-3;51D000:000006;to the Left of\nA-3-4;51D000:000006;Below';
const EXAMPLE_LABELS = 'deviceid;label\n51D000:000006;A-3-2\n51D000:000007;A-3-5';

/** Where the list comes from. */
export function ImportChoice({ typed, onType, failure, check }: Props) {
  const [refusal, setRefusal] = useState('');
  const words = texts.locations.importing;

  async function read(file: Blob | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > MOST_BYTES) return setRefusal(words.tooLarge);
    setRefusal('');
    try {
      check(decodeCsv(new Uint8Array(await file.arrayBuffer())));
    } catch {
      setRefusal(words.unreadable);
    }
  }

  const said = refusal === '' ? failure : refusal;
  return (
    <div className={styles.choice}>
      <p>{words.lead}</p>
      <div className={styles.examples}>
        <figure className={styles.example}>
          <figcaption>{words.example}</figcaption>
          <pre>{EXAMPLE}</pre>
        </figure>
        <figure className={styles.example}>
          <figcaption>{words.exampleLabels}</figcaption>
          <pre>{EXAMPLE_LABELS}</pre>
        </figure>
      </div>
      <DropZone
        className={styles.drop ?? ''}
        aria-label={words.file}
        onDrop={({ items }) => {
          const item = items.find(isFileDropItem);
          void item?.getFile().then(read);
        }}
      >
        <FileTrigger
          acceptedFileTypes={['.csv', '.tsv', '.txt', 'text/csv', 'text/plain']}
          onSelect={(files) => void read(files?.[0])}
        >
          <Button look="primary">
            <FileUp size={16} aria-hidden="true" />
            {words.file}
          </Button>
        </FileTrigger>
        <span className={styles.quiet}>{words.drop}</span>
      </DropZone>
      <ProblemForm
        className={styles.paste ?? ''}
        aria-label={words.paste}
        problems={{ csv: said }}
        onSubmit={() => {
          if (typed.trim() === '') return setRefusal(words.nothing);
          setRefusal('');
          check(typed);
        }}
      >
        <LinesField name="csv" label={words.paste} rows={8} value={typed} onChange={onType} />
        <Button type="submit">{words.check}</Button>
      </ProblemForm>
    </div>
  );
}
