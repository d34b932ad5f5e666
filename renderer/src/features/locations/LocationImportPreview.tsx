import type { ImportedRow, LocationImport } from '#shared/api/locationImport.ts';
import { arrowToPlace, parseDeviceIs } from '#shared/lib/deviceIs.ts';
import { IMPORT_OUTCOMES } from '#shared/lib/locationCsv.ts';
import { Failure } from '../../ui/Failure.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import styles from '../importing/ImportPreview.module.css';
import { ImportPreview, RejectedRows } from '../importing/ImportPreview.tsx';
import { ArrowPaper } from './ArrowPaper.tsx';
import own from './LocationImport.module.css';

type Props = {
  csv: string;
  preview: LocationImport;
  failure: string;
  run(): void;
  /** To choose something else. */
  back(): void;
};

const words = texts.locations.importing;
const LOOKS = { new: 'new', changed: 'changed', unchanged: 'unchanged', refused: 'refused' } as const;

/** What each row of a file of places becomes, before anything is done. */
export function LocationImportPreview({ csv, preview, failure, run, back }: Props) {
  const { rows, counts, columns, delimiter, ignored } = preview;
  const effective = counts.new + counts.changed;
  const read = columns === null ? words.noHeader : words.columnsOf(columns);
  const left = rows.length === counts.refused ? words.allRefused : texts.importing.leavesOut(counts.refused);
  return (
    <ImportPreview
      readAs={texts.importing.readAs(delimiter, read)}
      ignored={ignored}
      rows={rows}
      outcomes={IMPORT_OUTCOMES}
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
      <div role="cell" className={styles.name}>
        {isLabel ? <LabelCell label={label} before={label_before} /> : <span className={parts.strong}>{name}</span>}
        {before !== null && before.name !== name && <span className={parts.quiet}>{words.wasName(before.name)}</span>}
      </div>
      {outcome === 'refused' ? (
        <div role="cell" className={`${styles.device} ${own.reason}`} title={message}>
          <span>{message}</span>
          <span className={parts.quiet}>{[deviceid, deviceIs].filter((each) => each !== '').join(', ')}</span>
        </div>
      ) : (
        <>
          <div role="cell" className={styles.device}>
            <span>{deviceid}</span>
            {before !== null && (before.deviceid !== deviceid || before.deviceIs !== deviceIs) && (
              <span className={parts.quiet}>{words.was(before.deviceid, before.deviceIs)}</span>
            )}
            {!isLabel && label !== null && label_before !== null && (
              <span className={parts.quiet}>
                {words.labelled(label)}, {words.wasLabel(label_before)}
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
