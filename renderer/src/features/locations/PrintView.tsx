import { Printer } from 'lucide-react';
import { useMemo, useState } from 'react';
import { BARCODE_QUIET_MODULES } from '#shared/screen/barcode.ts';
import { useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { texts } from '../../ui/texts.ts';
import { BackButton } from './BackButton.tsx';
import { barPath, COLUMNS, intoSheets, labelCode, PAPERS, type Columns, type Paper } from './labelSheets.ts';
import { listLocations, sortLocations, type LocationRow } from './locationRows.ts';
import styles from './PrintView.module.css';

const CODES = ['name', 'device', 'none'] as const;
type Code = (typeof CODES)[number];

/** More than these are slow to draw and a morning to cut. */
const MOST = 1_000;
const NO_ALIASES: readonly never[] = [];

/** Sheets of labels for the shelves. `keys`: these places; undefined: every place with a name. */
export function PrintView({ keys }: { keys: readonly string[] | undefined }) {
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const [columns, setColumns] = useState<Columns>(2);
  const [paper, setPaper] = useState<Paper>('a4');
  const [code, setCode] = useState<Code>('name');
  const words = texts.locations.printing;

  const wanted = useMemo(() => {
    const chosen = keys === undefined ? undefined : new Set(keys);
    const named = listLocations(places, aliases).filter(
      (row) => row.kind !== 'none' && (chosen === undefined || chosen.has(row.key)),
    );
    return sortLocations(named, { by: 'place', descending: false });
  }, [places, aliases, keys]);
  const rows = wanted.slice(0, MOST);
  const sheets = intoSheets(rows, paper, columns);
  const without = code === 'none' ? 0 : rows.filter((row) => 'problem' in labelCode(textOf(row, code), columns)).length;

  return (
    <div className={styles.page}>
      <PageHeader title={words.title} note={rows.length === 0 ? '' : words.note(rows.length, sheets.length)}>
        <BackButton words={words.back} />
        <Button look="primary" isDisabled={rows.length === 0} onPress={() => window.print()}>
          <Printer size={16} aria-hidden="true" />
          {words.go}
        </Button>
      </PageHeader>
      <main className={styles.content}>
        {rows.length === 0 ? (
          <EmptyState title={words.nothing} body={words.nothingBody} />
        ) : (
          <>
            <div className={styles.choices}>
              <Choice label={words.columns}>
                <Segments
                  label={words.columns}
                  value={String(columns)}
                  onChange={(id) => setColumns(COLUMNS.find((each) => String(each) === id) ?? 2)}
                  choices={COLUMNS.map((each) => ({ id: String(each), words: words.columnChoices[each] }))}
                />
              </Choice>
              <Choice label={words.paper}>
                <Segments
                  label={words.paper}
                  value={paper}
                  onChange={setPaper}
                  choices={PAPERS.map((id) => ({ id, words: words.papers[id] }))}
                />
              </Choice>
              <Choice label={words.code}>
                <Segments
                  label={words.code}
                  value={code}
                  onChange={setCode}
                  choices={CODES.map((id) => ({ id, words: words.codes[id] }))}
                />
              </Choice>
            </div>
            <div role="status" className={styles.care}>
              {wanted.length > MOST && <p>{words.tooMany(MOST)}</p>}
              {without > 0 && <p>{words.without(without)}</p>}
            </div>
            <div className={styles.sheets} data-sheets>
              {sheets.map((labels, index) => (
                <section
                  key={labels[0]?.key}
                  className={styles.sheet}
                  aria-label={words.sheet(index + 1)}
                  data-paper={paper}
                  data-columns={columns}
                >
                  {labels.map((row) => (
                    <PaperLabel key={row.key} row={row} code={code} columns={columns} />
                  ))}
                </section>
              ))}
            </div>
          </>
        )}
      </main>
    </div>
  );
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.choice}>
      <span aria-hidden="true">{label}</span>
      {children}
    </div>
  );
}

function PaperLabel({ row, code, columns }: { row: LocationRow; code: Code; columns: Columns }) {
  return (
    <article className={styles.label} aria-label={row.name}>
      <p className={styles.name} data-length={lengthOf(row.name)}>
        {row.name}
      </p>
      {code !== 'none' && <Barcode text={textOf(row, code)} columns={columns} />}
      <p className={styles.small}>{row.deviceid}</p>
    </article>
  );
}

function Barcode({ text, columns }: { text: string; columns: Columns }) {
  const code = labelCode(text, columns);
  const words = texts.locations.printing;
  if ('problem' in code) return <p className={styles.problem}>{words[code.problem]}</p>;
  const width = code.modules.length + 2 * BARCODE_QUIET_MODULES;
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${width} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.barcodeOf(text)}
    >
      <path d={barPath(code.modules)} />
    </svg>
  );
}

function textOf({ name, deviceid }: LocationRow, code: Code): string {
  return code === 'device' ? deviceid : name;
}

function lengthOf(name: string): 'short' | 'usual' | 'long' | 'longest' {
  if (name.length <= 7) return 'short';
  if (name.length <= 12) return 'usual';
  return name.length <= 22 ? 'long' : 'longest';
}
