import { FileUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { DropZone, FileTrigger, isFileDropItem, Label, ProgressBar } from 'react-aria-components';
import type { ImportSource } from '../station/calls/importApi.ts';
import { Button } from '../kit/button/Button.tsx';
import { Failure } from '../kit/feedback/EmptyState.tsx';
import { LineField, LinesField } from '../kit/field/fields.tsx';
import parts from '../kit/parts.module.css';
import { ProblemForm } from '../kit/field/ProblemForm.tsx';
import * as texts from '../words/texts.ts';
import styles from './ImportPage.module.css';

type Props = {
  choice: ReactNode;
  /** Describes what the file should contain. */
  lead: string;
  examples: readonly { title: string; csv: string }[];
  typed: string;
  onType(text: string): void;
  /** The reason why the last source was refused; empty if there was no error. */
  failure: string;
  source: ImportSource | undefined;
  choose(source: ImportSource): void;
};

const words = texts.importing;
const FILES = ['.csv', '.tsv', '.txt', '.xlsx', 'text/csv', 'text/plain'];
const MAX_BYTES = 16 * 1024 * 1024;

/** A choice between a file, the address of a sheet, and pasted text. */
export function ImportChoice({ choice, lead, examples, typed, onType, failure, source, choose }: Props) {
  const [fileRefusal, setFileRefusal] = useState('');
  const [textRefusal, setTextRefusal] = useState('');
  const failedUrl = source !== undefined && 'url' in source ? source.url : undefined;
  const isPasted = source === undefined || source.name === words.pasted;
  const [fileFailure, textFailure] = failedUrl !== undefined ? ['', ''] : isPasted ? ['', failure] : [failure, ''];

  function take(file: File | undefined): void {
    if (file === undefined) return;
    if (file.size > MAX_BYTES) return setFileRefusal(words.tooLarge);
    setFileRefusal('');
    choose({ file, name: file.name });
  }

  return (
    <div className={styles.choice}>
      <div className={parts.row}>{choice}</div>
      <p>{lead}</p>
      <div className={styles.examples}>
        {examples.map(({ title, csv }) => (
          <figure key={title} className={`${parts.stack1} ${styles.example}`}>
            <figcaption>{title}</figcaption>
            <pre>{csv}</pre>
          </figure>
        ))}
      </div>
      <DropZone
        className={styles.drop ?? ''}
        aria-label={words.drop}
        onDrop={({ items }) => {
          const item = items.find(isFileDropItem);
          void item?.getFile().then(take);
        }}
      >
        <FileTrigger acceptedFileTypes={FILES} onSelect={(files) => take(files?.[0])}>
          <Button icon={FileUp} words={words.file} look="primary" autoFocus />
        </FileTrigger>
        <span className={parts.quiet}>{words.drop}</span>
      </DropZone>
      <Failure>{fileRefusal === '' ? fileFailure : fileRefusal}</Failure>
      <SheetAddress
        failure={failedUrl === undefined ? '' : failure}
        last={failedUrl ?? ''}
        take={(url) => choose({ url, name: URL.parse(url)?.host ?? url })}
      />
      <ProblemForm
        className={styles.paste ?? ''}
        aria-label={words.paste}
        problems={{ csv: textRefusal === '' ? textFailure : textRefusal }}
        onSubmit={() => {
          if (typed.trim() === '') return setTextRefusal(words.nothing);
          setTextRefusal('');
          choose({ file: new Blob([typed], { type: 'text/csv' }), name: words.pasted });
        }}
      >
        <LinesField name="csv" label={words.paste} rows={8} value={typed} onChange={onType} />
        <Button type="submit">{words.check}</Button>
      </ProblemForm>
    </div>
  );
}

type AddressProps = {
  /** The reason why the last address was refused; empty if there was no error. */
  failure: string;
  last: string;
  take(url: string): void;
};

function SheetAddress({ failure, last, take }: AddressProps) {
  const [url, setUrl] = useState(last);
  const [refusal, setRefusal] = useState(failure);
  return (
    <ProblemForm
      className={styles.paste ?? ''}
      aria-label={words.address}
      problems={refusal === '' ? {} : { url: refusal }}
      onSubmit={() => {
        const address = url.trim();
        if (!/^https?:\/\//i.test(address)) return setRefusal(words.noAddress);
        setRefusal('');
        take(address);
      }}
    >
      <LineField
        name="url"
        label={words.address}
        help={words.addressHelp}
        autoComplete="off"
        placeholder="https://docs.google.com/spreadsheets/d/…"
        value={url}
        onChange={setUrl}
      />
      <Button type="submit">{words.readAddress}</Button>
    </ProblemForm>
  );
}

/** Indeterminate progress. */
export function Busy({ label, cancel }: { label: string; cancel(): void }) {
  return (
    <div className={styles.place}>
      <ProgressBar className={`${parts.stack2} ${styles.busy}`} isIndeterminate>
        <Label>{label}</Label>
        <div className={styles.track}>
          <div className={styles.bar} />
        </div>
      </ProgressBar>
      <Button words={texts.frame.cancel} onPress={cancel} autoFocus />
    </div>
  );
}
