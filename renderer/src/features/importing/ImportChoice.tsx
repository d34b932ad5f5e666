import { FileUp } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { DropZone, FileTrigger, isFileDropItem, Label, ProgressBar } from 'react-aria-components';
import { decodeCsv } from '#shared/lib/csv.ts';
import { Button } from '../../ui/Button.tsx';
import { LineField, LinesField } from '../../ui/fields.tsx';
import parts from '../../ui/parts.module.css';
import { ProblemForm } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useToasts } from '../../ui/toasts.ts';
import styles from './ImportView.module.css';

type Props = {
  typed: string;
  onType(text: string): void;
  /** What is wrong with what was chosen last; empty: nothing. */
  failure: string;
  check(csv: string): void;
  /** Where files are read as they are, and not as texts. */
  asFile?: {
    accepted: readonly string[];
    maxBytes: number;
    tooLarge: string;
    take(source: { file: Blob; name: string }): void;
    /** Reads a sheet from its address. */
    takeAddress(url: string): void;
  };
  /** The format of the list, with examples. */
  children: ReactNode;
};

const words = texts.importing;
const TEXT_FILES = ['.csv', '.tsv', '.txt', 'text/csv', 'text/plain'];
const MAX_BYTES = 8 * 1024 * 1024;

/** Where a list comes from: a file that is chosen or dropped, or what is pasted. */
export function ImportChoice({ typed, onType, failure, check, asFile, children }: Props) {
  const [refusal, setRefusal] = useState('');

  async function read(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > (asFile?.maxBytes ?? MAX_BYTES)) return setRefusal(asFile?.tooLarge ?? words.tooLarge);
    setRefusal('');
    if (asFile !== undefined) return asFile.take({ file, name: file.name });
    try {
      check(decodeCsv(new Uint8Array(await file.arrayBuffer())));
    } catch {
      setRefusal(words.unreadable);
    }
  }

  return (
    <div className={styles.choice}>
      {children}
      <DropZone
        className={styles.drop ?? ''}
        aria-label={words.drop}
        onDrop={({ items }) => {
          const item = items.find(isFileDropItem);
          void item?.getFile().then(read);
        }}
      >
        <FileTrigger acceptedFileTypes={asFile?.accepted ?? TEXT_FILES} onSelect={(files) => void read(files?.[0])}>
          <Button icon={FileUp} words={words.file} look="primary" autoFocus />
        </FileTrigger>
        <span className={parts.quiet}>{words.drop}</span>
      </DropZone>
      {asFile !== undefined && <SheetAddress take={asFile.takeAddress} />}
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

function SheetAddress({ take }: { take(url: string): void }) {
  const [url, setUrl] = useState('');
  const [refusal, setRefusal] = useState('');
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

type ExampleProps = { title: string; csv: string; className?: string | undefined };

/** Such as a list may look. */
export function ImportExample({ title, csv, className }: ExampleProps) {
  return (
    <figure className={`${parts.stack1} ${styles.example}`}>
      <figcaption>{title}</figcaption>
      <pre className={className}>{csv}</pre>
    </figure>
  );
}

/** At work, for as long as the station takes: one step of its own, of which nobody knows the middle. */
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

type ImportStep<Preview> =
  | { kind: 'choose' }
  | { kind: 'checking'; rows: number }
  | { kind: 'preview'; csv: string; preview: Preview }
  | { kind: 'running'; preview: Preview };

type Means<Preview> = {
  /** Asks the station to import a file, or only what an import would do. */
  ask(csv: string, how: { dry: boolean; signal: AbortSignal }): Promise<Preview>;
  /** The id of the previous import, if known. */
  before: number | undefined;
  /** The id of the last import now. */
  lastId(): Promise<number | undefined>;
  finish(): void;
};

/** An import from a file: chosen, previewed, run. The station judges every row. */
export function useImportSteps<Preview>({ ask, before, lastId, finish }: Means<Preview>) {
  const toasts = useToasts();
  const [step, setStep] = useState<ImportStep<Preview>>({ kind: 'choose' });
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController>(undefined);
  const hasLeft = useRef(false);
  useEffect(() => {
    hasLeft.current = false;
    return () => void (hasLeft.current = true);
  }, []);

  function begin(next: ImportStep<Preview>): AbortSignal {
    const controller = new AbortController();
    running.current = controller;
    setFailure('');
    setStep(next);
    return controller.signal;
  }

  /** The station may have finished an import that was cancelled here: ask, do not guess. */
  async function wasTooLate(): Promise<boolean> {
    const last = await lastId().catch(() => undefined);
    if (last === undefined || last === before) return false;
    toasts.say(words.tooLate);
    return true;
  }

  return {
    step,
    failure,
    async check(csv: string): Promise<void> {
      const signal = begin({ kind: 'checking', rows: csv.trim().split(/\r\n|\r|\n/).length });
      try {
        const preview = await ask(csv, { dry: true, signal });
        setStep(signal.aborted ? { kind: 'choose' } : { kind: 'preview', csv, preview });
      } catch (error) {
        if (!signal.aborted) setFailure(sentenceOf(error));
        setStep({ kind: 'choose' });
      }
    },
    async run(csv: string, preview: Preview): Promise<void> {
      const signal = begin({ kind: 'running', preview });
      try {
        await ask(csv, { dry: false, signal });
        // Somebody who went to another page stays there.
        if (!hasLeft.current) finish();
      } catch (error) {
        if (signal.aborted && (await wasTooLate())) return finish();
        const reason = signal.aborted ? words.cancelled : sentenceOf(error);
        setFailure(`${words.failed} ${reason}`);
        setStep({ kind: 'preview', csv, preview });
      }
    },
    cancel: () => running.current?.abort(),
    back(): void {
      setFailure('');
      setStep({ kind: 'choose' });
    },
  };
}
