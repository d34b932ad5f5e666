import { useEffect, useRef, useState } from 'react';
import type { LocationImport } from '#shared/api/locationImport.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { BackButton } from '../../ui/BackButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { Busy } from './Busy.tsx';
import { ImportChoice, ImportExample } from '../importing/ImportChoice.tsx';
import styles from '../importing/ImportView.module.css';
import { LocationImportPreview } from './LocationImportPreview.tsx';

const EXAMPLE = 'name;deviceid;deviceIs\nA-3-3;51D000:000006;to the Left of\nA-3-4;51D000:000006;Below';
const EXAMPLE_LABELS = 'deviceid;label\n51D000:000006;A-3-2\n51D000:000007;A-3-5';

type Step =
  | { kind: 'choose' }
  | { kind: 'checking'; lines: number }
  | { kind: 'preview'; csv: string; preview: LocationImport }
  | { kind: 'running'; places: number };

/** A list of places from a file or a spreadsheet: chosen, looked at, imported. */
export function ImportView({ finish }: { finish(): void }) {
  const { api, store } = useStationContext();
  const toasts = useToasts();
  const [step, setStep] = useState<Step>({ kind: 'choose' });
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState('');
  const words = texts.locations.importing;

  const running = useRef<AbortController>(undefined);
  const hasLeft = useRef(false);
  useEffect(() => {
    hasLeft.current = false;
    return () => void (hasLeft.current = true);
  }, []);

  function begin(next: Step): AbortSignal {
    const controller = new AbortController();
    running.current = controller;
    setFailure('');
    setStep(next);
    return controller.signal;
  }

  async function check(csv: string): Promise<void> {
    const signal = begin({ kind: 'checking', lines: csv.trim().split(/\r\n|\r|\n/).length });
    try {
      const preview = await api.importAliases(csv, { dry: true, signal });
      setStep(signal.aborted ? { kind: 'choose' } : { kind: 'preview', csv, preview });
    } catch (error) {
      if (!signal.aborted) setFailure(sentenceOf(error, texts.failure.other));
      setStep({ kind: 'choose' });
    }
  }

  async function run(csv: string, preview: LocationImport): Promise<void> {
    const { counts } = preview;
    const before = store.getState().station?.last_import?.id;
    const signal = begin({ kind: 'running', places: counts.new + counts.changed });
    try {
      await api.importAliases(csv, { dry: false, signal });
      // Who has gone on to another page stays there; what was imported is said above the places.
      if (!hasLeft.current) finish();
    } catch (error) {
      if (signal.aborted && (await wasTooLate(before))) return finish();
      const reason = signal.aborted ? words.cancelled : sentenceOf(error, texts.failure.other);
      setFailure(`${words.failed} ${reason}`);
      setStep({ kind: 'preview', csv, preview });
    }
  }

  /** The station does an import whole or not at all: whether it had it already is asked, not guessed. */
  async function wasTooLate(before: number | undefined): Promise<boolean> {
    const last = await api.loadLastImport().catch(() => null);
    if (last === null || last.id === before) return false;
    toasts.say(words.tooLate);
    return true;
  }

  const cancel = () => running.current?.abort();

  return (
    <div className={styles.page}>
      <PageHeader title={words.title}>
        <BackButton words={words.back} to="/locations" />
      </PageHeader>
      <main className={styles.content}>
        {step.kind === 'choose' && (
          <ImportChoice typed={typed} onType={setTyped} failure={failure} check={(csv) => void check(csv)}>
            <p>{words.lead}</p>
            <div className={styles.examples}>
              <ImportExample title={words.example} csv={EXAMPLE} />
              <ImportExample title={words.exampleLabels} csv={EXAMPLE_LABELS} />
            </div>
          </ImportChoice>
        )}
        {step.kind === 'checking' && <Busy label={words.checking(step.lines)} cancel={cancel} />}
        {step.kind === 'running' && <Busy label={words.running(step.places)} cancel={cancel} />}
        {step.kind === 'preview' && (
          <LocationImportPreview
            preview={step.preview}
            failure={failure}
            run={() => void run(step.csv, step.preview)}
            back={() => {
              setFailure('');
              setStep({ kind: 'choose' });
            }}
          />
        )}
      </main>
    </div>
  );
}
