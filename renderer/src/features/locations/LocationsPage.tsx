import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ImportedRow, LocationImport } from '#shared/api/locationImport.ts';
import { arrowToPlace, parseDeviceIs } from '#shared/lib/deviceIs.ts';
import { useDenied, useStationContext, useStationState } from '../../station/context.ts';
import { Denied, BackButton, PageHeader } from '../../ui/PageHeader.tsx';
import layout from '../../ui/Page.module.css';
import { texts } from '../../ui/texts.ts';
import { Failure } from '../../ui/EmptyState.tsx';
import parts from '../../ui/parts.module.css';
import { Busy, ImportChoice, ImportExample, useImportSteps } from '../importing/ImportChoice.tsx';
import styles from '../importing/ImportView.module.css';
import cell from '../importing/ImportPreview.module.css';
import { ImportPreview, RejectedRows } from '../importing/ImportPreview.tsx';
import { NOTHING_CHOSEN, PlacesView } from './PlacesView.tsx';
import { PrintView } from './PrintView.tsx';
import { ArrowPaper } from './ArrowPaper.tsx';
import own from './LocationImport.module.css';

const OUTCOMES = ['new', 'changed', 'unchanged', 'refused'] as const satisfies ImportedRow['outcome'][];

/** Which device serves which place? */
export function LocationsPage() {
  const [path, navigate] = useLocation();
  const denied = useDenied('import_locations');
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

type Props = {
  csv: string;
  preview: LocationImport;
  failure: string;
  run(): void;
  /** To choose something else. */
  back(): void;
};

const LOOKS = { new: 'new', changed: 'changed', unchanged: 'unchanged', refused: 'refused' } as const;

/** What each row of a file of places becomes, before anything is done. */
function LocationImportPreview({ csv, preview, failure, run, back }: Props) {
  const { rows, counts, columns, delimiter, ignored } = preview;
  const effective = counts.new + counts.changed;
  const read = columns === null ? words.noHeader : words.columnsOf(columns);
  const left = rows.length === counts.refused ? words.allRefused : texts.importing.leavesOut(counts.refused);
  return (
    <ImportPreview
      readAs={texts.importing.readAs(delimiter, read)}
      ignored={ignored}
      rows={rows}
      outcomes={OUTCOMES}
      counts={counts}
      words={words}
      looks={LOOKS}
      columns={own.columns ?? ''}
      cells={Cells}
      said={
        <>
          {counts.refused > 0 && <p className={parts.careStrong}>{left}</p>}
          {effective === 0 && counts.refused === 0 && <p>{words.nothingNew}</p>}
          <Failure>{failure}</Failure>
        </>
      }
      rejected={
        <RejectedRows csv={csv} hasHead={columns !== null} rows={rows.filter(({ outcome }) => outcome === 'refused')} />
      }
      submit={effective > 0 ? words.submit(effective) : undefined}
      run={run}
      back={back}
    />
  );
}

function Cells({ row }: { row: ImportedRow }) {
  const { outcome, name, deviceid, deviceIs, label, message, before, label_before } = row;
  const phrase = parseDeviceIs(deviceIs);
  const isLabel = name === '' && label !== null;
  return (
    <>
      <div role="cell" className={cell.name}>
        {isLabel ? <LabelCell label={label} before={label_before} /> : <span className={parts.strong}>{name}</span>}
        {before !== null && before.name !== name && <span className={parts.quiet}>{words.wasName(before.name)}</span>}
      </div>
      {outcome === 'refused' ? (
        <div role="cell" className={`${cell.device} ${own.reason}`} title={message}>
          <span>{message}</span>
          <span className={parts.quiet}>{[deviceid, deviceIs].filter((each) => each !== '').join(', ')}</span>
        </div>
      ) : (
        <>
          <div role="cell" className={cell.device}>
            <span>{deviceid}</span>
            {before !== null && (before.deviceid !== deviceid || before.deviceIs !== deviceIs) && (
              <span className={parts.quiet}>{words.was(before.deviceid, before.deviceIs)}</span>
            )}
            {!isLabel && label !== null && label_before !== null && (
              <span className={parts.quiet}>
                {words.labeled(label)}, {words.wasLabel(label_before)}
              </span>
            )}
          </div>
          <div role="cell" className={`${parts.middle3} ${own.deviceIs}`}>
            {message !== '' && (
              <span className={own.look} title={message}>
                {message}
              </span>
            )}
            {message === '' && isLabel && <span className={parts.quiet}>{texts.locations.itself}</span>}
            {message === '' && phrase !== undefined && (
              <>
                <ArrowPaper arrow={arrowToPlace(phrase)} />
                <span className={own.phrase}>{deviceIs}</span>
              </>
            )}
          </div>
        </>
      )}
    </>
  );
}

/** A label that a device gets or has, and what it had. */
function LabelCell({ label, before }: { label: string; before: string | null }) {
  return (
    <>
      <span className={label === '' ? parts.quiet : parts.strong}>
        {label !== '' ? label : before === null ? texts.locations.nameless : words.cleared}
      </span>
      {before !== null && <span className={parts.quiet}>{words.wasLabel(before)}</span>}
    </>
  );
}
