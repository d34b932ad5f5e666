import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { DropZone, FileTrigger, isFileDropItem } from 'react-aria-components';
import { decodeCsv } from '#shared/lib/csv.ts';
import { Button } from '../../../ui/Button.tsx';
import { LinesField } from '../../../ui/fields.tsx';
import { ProblemForm } from '../../../ui/ProblemForm.tsx';
import { texts } from '../../../ui/texts.ts';
import styles from '../../locations/ImportView.module.css';
import own from './OrderImport.module.css';

type Props = {
  typed: string;
  onType(text: string): void;
  /** What is wrong with what was chosen last; empty: nothing. */
  failure: string;
  check(csv: string): void;
};

const words = texts.orderImport;
const MOST_BYTES = 8 * 1024 * 1024;
const EXAMPLE =
  'order_number;SKU;name;ordered_quantity;warehouse_location\n10418;M8-934;M8 nut;12;A-4-2\n10418;CT-200;Cable tie 200;5;A-3-2\n10419;GL-M;Glove M;3;B-2-1';

/** Where the list comes from. */
export function OrderImportChoice({ typed, onType, failure, check }: Props) {
  const [refusal, setRefusal] = useState('');

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

  return (
    <div className={styles.choice}>
      <p>{words.lead}</p>
      <figure className={styles.example}>
        <figcaption>{words.example}</figcaption>
        <pre className={own.example}>{EXAMPLE}</pre>
      </figure>
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
        problems={{ csv: refusal === '' ? failure : refusal }}
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
