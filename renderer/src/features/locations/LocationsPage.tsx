import { useState } from 'react';
import { useLocation } from 'wouter';
import { useDenied, useStationContext, useStationState } from '../../station/context.ts';
import { Denied } from '../../ui/Denied.tsx';
import { BackButton, PageHeader } from '../../ui/PageHeader.tsx';
import layout from '../../ui/Page.module.css';
import { texts } from '../../ui/texts.ts';
import { Busy, ImportChoice, ImportExample } from '../importing/ImportChoice.tsx';
import styles from '../importing/ImportView.module.css';
import { useImportSteps } from '../importing/useImportSteps.ts';
import { LocationImportPreview } from './LocationImportPreview.tsx';
import { NOTHING_CHOSEN, PlacesView } from './PlacesView.tsx';
import { PrintView } from './PrintView.tsx';

/** Which device serves which place? */
export function LocationsPage() {
  const [path, navigate] = useLocation();
  const denied = useDenied('import');
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  /** What is printed; undefined: every place with a name. */
  const [printed, setPrinted] = useState<readonly string[]>();

  if (path === '/locations/import') {
    if (denied !== undefined) return <Denied title={texts.locations.importing.title} denied={denied} />;
    return <ImportView finish={() => navigate('/locations')} />;
  }
  if (path === '/locations/print') return <PrintView keys={printed} />;
  return (
    <PlacesView
      chosen={chosen}
      setChosen={setChosen}
      print={(keys) => {
        setPrinted(keys);
        navigate('/locations/print');
      }}
    />
  );
}

const EXAMPLE = 'name;deviceid;deviceIs\nA-3-3;51D000:000006;to the Left of\nA-3-4;51D000:000006;Below';
const EXAMPLE_LABELS = 'deviceid;label\n51D000:000006;A-3-2\n51D000:000007;A-3-5';
const words = texts.locations.importing;

/** A list of places from a file or a spreadsheet: chosen, previewed, imported. */
function ImportView({ finish }: { finish(): void }) {
  const { api } = useStationContext();
  const before = useStationState(({ station }) => station?.last_import?.id);
  const [typed, setTyped] = useState('');
  const { step, failure, check, run, cancel, back } = useImportSteps({
    ask: api.importAliases,
    before,
    lastId: async () => (await api.loadLastImport())?.id,
    finish,
  });

  return (
    <div className={layout.page}>
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
        {step.kind === 'checking' && <Busy label={words.checking(step.rows)} cancel={cancel} />}
        {step.kind === 'running' && (
          <Busy label={words.running(step.preview.counts.new + step.preview.counts.changed)} cancel={cancel} />
        )}
        {step.kind === 'preview' && (
          <LocationImportPreview
            csv={step.csv}
            preview={step.preview}
            failure={failure}
            run={() => void run(step.csv, step.preview)}
            back={back}
          />
        )}
      </main>
    </div>
  );
}
