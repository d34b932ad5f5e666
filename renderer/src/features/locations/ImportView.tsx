import { useState } from 'react';
import type { LocationImport } from '#shared/api/locationImport.ts';
import type { ImportUndoRequest } from '#shared/api/locationImport.ts';
import { DEVICE_IS } from '#shared/lib/deviceIs.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { texts } from '../../ui/texts.ts';
import { BackButton } from './BackButton.tsx';
import { Busy } from './Busy.tsx';
import { ImportChoice } from './ImportChoice.tsx';
import { ImportPreview } from './ImportPreview.tsx';
import styles from './ImportView.module.css';

/** What an import did, and the rows by which it is taken back. */
export type Imported = { counts: LocationImport['counts']; rows: ImportUndoRequest['rows'] };

type Step =
  | { kind: 'choose' }
  | { kind: 'checking'; lines: number }
  | { kind: 'preview'; csv: string; preview: LocationImport }
  | { kind: 'running'; places: number };

/** A list of places from a file or a spreadsheet: chosen, looked at, imported. */
export function ImportView({ finish }: { finish(imported: Imported): void }) {
  const { api } = useStationContext();
  const [step, setStep] = useState<Step>({ kind: 'choose' });
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState('');
  const words = texts.locations.importing;

  async function check(csv: string): Promise<void> {
    setFailure('');
    setStep({ kind: 'checking', lines: csv.trim().split(/\r\n|\r|\n/).length });
    try {
      setStep({ kind: 'preview', csv, preview: await api.importAliases(csv, true) });
    } catch (error) {
      setFailure(sentenceOf(error, texts.failure.other));
      setStep({ kind: 'choose' });
    }
  }

  async function run(csv: string, preview: LocationImport): Promise<void> {
    const { counts } = preview;
    setFailure('');
    setStep({ kind: 'running', places: counts.new + counts.changed });
    try {
      const done = await api.importAliases(csv, false);
      finish({ counts: done.counts, rows: undoRows(done) });
    } catch (error) {
      setFailure(`${words.failed} ${sentenceOf(error, texts.failure.other)}`);
      setStep({ kind: 'preview', csv, preview });
    }
  }

  return (
    <div className={styles.page}>
      <PageHeader title={words.title}>
        <BackButton words={words.back} />
      </PageHeader>
      <main className={styles.content}>
        {step.kind === 'choose' && (
          <ImportChoice typed={typed} onType={setTyped} failure={failure} check={(csv) => void check(csv)} />
        )}
        {step.kind === 'checking' && <Busy label={words.checking(step.lines)} />}
        {step.kind === 'running' && <Busy label={words.running(step.places)} />}
        {step.kind === 'preview' && (
          <ImportPreview
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

/** What changed something. */
function undoRows({ rows }: LocationImport): Imported['rows'] {
  return rows.flatMap(({ outcome, id, name, deviceid, deviceIs: said, before }) => {
    const deviceIs = DEVICE_IS.find((each) => each === said);
    if (id === null || deviceIs === undefined || (outcome !== 'new' && outcome !== 'changed')) return [];
    return [{ id, name, deviceid, deviceIs, before }];
  });
}
