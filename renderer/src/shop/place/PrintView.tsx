import { Printer } from 'lucide-react';
import { type CSSProperties, type ComponentProps, useMemo, useState } from 'react';
import { useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { Segments } from '../../kit/field/Segments.tsx';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import { Printed } from '../../kit/print/Printed.tsx';
import print from '../../kit/print/PrintPage.module.css';
import { labelCode, type LabelCode, type Size } from '../../kit/print/labelCode.ts';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import * as labelSheets from './labelSheets.ts';
import { listPlaceLabels, type PlaceLabel } from './placeLabels.ts';
import { PaperCode } from '../../kit/print/PaperCode.tsx';
import styles from './PrintView.module.css';

const CODES = ['name', 'device', 'none'] as const;
type CodeChoice = (typeof CODES)[number];

/** More than these are slow to draw and a morning to cut. */
const MAX = 1_000;
const NO_ALIASES: readonly never[] = [];

type Props = {
  /** These places; undefined: every place with a name. */
  keys: readonly string[] | undefined;
  /** Where it was opened from. */
  back?: ComponentProps<typeof BackButton>;
};

/** Sheets of labels for the shelves. */
export function PrintView({ keys, back = { words: texts.locations.printing.back, to: '/places' } }: Props) {
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const [columns, setColumns] = useState<labelSheets.Columns>(2);
  const [paper, setPaper] = useState<labelSheets.PaperSize>('a4');
  const [code, setCode] = useState<CodeChoice>('name');
  const words = texts.locations.printing;

  const wanted = useMemo(() => {
    return listPlaceLabels(places, aliases, keys === undefined ? undefined : new Set(keys));
  }, [places, aliases, keys]);
  const rows = useMemo(() => wanted.slice(0, MAX), [wanted]);
  const format = useMemo(() => labelSheets.formatOf(paper, columns), [paper, columns]);
  const labels = useMemo(
    () => rows.map((row) => ({ row, code: codeOf(row, code, format), isName: code === 'name' })),
    [rows, code, format],
  );
  const sheets = labelSheets.intoSheets(labels, format);
  const count = (kind: LabelCode['kind']) => labels.filter((label) => label.code?.kind === kind).length;
  const without = count('problem');
  const square = count('qrcode');

  return (
    <div className={print.page}>
      <PageHeader
        title={words.title}
        note={rows.length === 0 ? '' : words.note(rows.length, format.isRoll ? undefined : sheets.length)}
      >
        <BackButton {...back} />
        <Button icon={Printer} look="primary" isDisabled={rows.length === 0} onPress={() => window.print()}>
          {words.go}
        </Button>
      </PageHeader>
      <main className={styles.content}>
        {rows.length === 0 ? (
          <EmptyState title={words.nothing} body={words.nothingBody} />
        ) : (
          <>
            <div className={print.choices}>
              <Choice
                label={words.paper}
                value={paper}
                onChange={setPaper}
                choices={labelSheets.PAPERS.map((id) => ({ id, words: words.papers[id] }))}
              />
              {!format.isRoll && (
                <Choice
                  label={words.columns}
                  value={String(columns)}
                  onChange={(id) => setColumns(labelSheets.COLUMNS.find((each) => String(each) === id) ?? 2)}
                  choices={labelSheets.COLUMNS.map((each) => ({
                    id: String(each),
                    words: words.columnChoices[each],
                  }))}
                />
              )}
              <Choice
                label={words.code}
                value={code}
                onChange={setCode}
                choices={CODES.map((id) => ({ id, words: words.codes[id] }))}
              />
            </div>
            <div role="status" className={`${parts.careStrong} ${styles.care}`}>
              {wanted.length > MAX && <p>{words.tooMany(MAX)}</p>}
              {square > 0 && <p>{words.square(square)}</p>}
              {without > 0 && <p>{words.without(without)}</p>}
            </div>
            <Printed className={styles.sheets}>
              {sheets.map((sheet, index) => (
                <section
                  key={sheet[0]?.row.key}
                  className={styles.sheet}
                  aria-label={words.sheet(index + 1)}
                  data-paper={paper}
                  data-roll={format.isRoll || undefined}
                  style={sheetStyle(format)}
                >
                  {sheet.map((label) => (
                    <PaperLabel key={label.row.key} {...label} format={format} />
                  ))}
                </section>
              ))}
            </Printed>
          </>
        )}
      </main>
    </div>
  );
}

function Choice<Id extends string>(props: ComponentProps<typeof Segments<Id>>) {
  return (
    <div className={print.choice}>
      <span aria-hidden="true">{props.label}</span>
      <Segments {...props} />
    </div>
  );
}

type LabelProps = {
  row: PlaceLabel;
  code: LabelCode | undefined;
  /** The code holds the name of the place. */
  isName: boolean;
  format: labelSheets.Format;
};

function PaperLabel({ row, code, isName, format }: LabelProps) {
  const points = namePoints(row.name, labelSheets.nameBox(format, code?.kind ?? 'none'));
  return (
    <article
      className={styles.label}
      aria-label={row.name}
      data-code={code?.kind}
      style={{ padding: `${labelSheets.PADDING.height}mm ${labelSheets.PADDING.width}mm` }}
    >
      <p className={styles.name} style={{ fontSize: `${points}pt` }}>
        {row.name}
      </p>
      {code?.kind === 'problem' && <p className={styles.problem}>{texts.locations.printing.problem}</p>}
      {code !== undefined && <PaperCode className={styles.code} code={code} format={format} />}
      {/* The content of a barcode, for when a scanner cannot read it. */}
      <p className={styles.small}>{isName && code?.kind === 'barcode' ? row.name : row.deviceid}</p>
    </article>
  );
}

function sheetStyle({ page, margin, rows, columns }: labelSheets.Format): CSSProperties {
  return {
    width: `${page.width}mm`,
    height: `${page.height}mm`,
    padding: `${margin}mm`,
    gridTemplate: `repeat(${rows}, minmax(0, 1fr)) / repeat(${columns}, minmax(0, 1fr))`,
    containIntrinsicSize: `${page.width}mm ${page.height}mm`,
  };
}

function codeOf({ name, deviceid }: PlaceLabel, code: CodeChoice, format: labelSheets.Format): LabelCode | undefined {
  if (code === 'none') return undefined;
  return labelCode(code === 'device' ? deviceid : name, format);
}

const MM_A_POINT = 25.4 / 72;
const LARGEST_PT = 44;
/** Smaller than this a word is rather broken. */
const WHOLE_PT = 10;
const MIN_PT = 7;
const LINE_HEIGHT = 1.22;
const MAX_LINES = 3;

/** Widths of bold letters, in heights of the font; a little more than they are, so that no line breaks that was counted as one. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[iIjl.,:;'|!()[\]]/, 0.36],
  [/[frt\-/ ]/, 0.48],
  [/[mM]/, 1],
  [/[wW@%&]/, 1.12],
  [/[A-Z]/, 0.78],
  [/[a-z0-9]/, 0.67],
];
/** Other scripts can be as wide as high. */
const OTHER_WIDTH = 1.1;
const SPACE_WIDTH = 0.36;

/** The largest size, in points, at which a name fits the box; cuts a name that is too long for the smallest. */
export function namePoints(name: string, { width, height }: Size): number {
  const words = name.split(/\s+/).map(measureWord);
  const longest = Math.max(...words.map(({ width: wide }) => wide));
  const fits = (points: number): boolean => {
    const letter = points * MM_A_POINT;
    const lines = countLines(words, width / letter);
    return lines <= MAX_LINES && lines * LINE_HEIGHT * letter <= height;
  };
  for (let points = LARGEST_PT; points >= WHOLE_PT; points -= 1) {
    if (longest * points * MM_A_POINT <= width && fits(points)) return points;
  }
  for (let points = LARGEST_PT; points > MIN_PT; points -= 1) {
    if (fits(points)) return points;
  }
  return MIN_PT;
}

/** Breaks words that are longer than a line. A letter that does not fit begins the next line, and leaves its room empty. */
function countLines(words: readonly Word[], width: number): number {
  let lines = 1;
  let used = 0;
  for (const word of words) {
    const after = used === 0 ? word.width : used + SPACE_WIDTH + word.width;
    if (after <= width) {
      used = after;
      continue;
    }
    const filled = word.width <= width ? width : Math.max(width - word.widest, word.widest);
    const own = Math.ceil(word.width / filled);
    lines += used === 0 ? own - 1 : own;
    used = word.width - (own - 1) * filled;
  }
  return lines;
}

/** Widths in heights of the font. */
type Word = { width: number; widest: number };

function measureWord(word: string): Word {
  // An accent makes no letter wider.
  const letters = Array.from(word.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  const widths = letters.map((letter) => WIDTHS.find(([some]) => some.test(letter))?.[1] ?? other(letter));
  return { width: widths.reduce((sum, width) => sum + width, 0), widest: Math.max(0, ...widths) };
}

/** The rest of Latin is as wide as its kin. */
function other(letter: string): number {
  return /\p{Script=Latin}/u.test(letter) ? 0.85 : OTHER_WIDTH;
}
