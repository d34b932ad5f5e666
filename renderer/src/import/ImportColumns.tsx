import { useState } from 'react';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { isStateField } from '#shared/lib/tables/stateNames.ts';
import type { ImportOptions } from '../station/calls/importApi.ts';
import { Button } from '../kit/button/Button.tsx';
import { ChoiceField, type Choice } from '../kit/field/choiceFields.tsx';
import { LineField, useForm } from '../kit/field/fields.tsx';
import parts from '../kit/parts.module.css';
import { ProblemForm } from '../kit/field/ProblemForm.tsx';
import { Failure } from '../kit/feedback/EmptyState.tsx';
import * as texts from '../words/texts.ts';
import own from './ImportColumns.module.css';
import type { ImportKind } from './kind.ts';
import type { FilePreview } from './readFile.ts';

type Columns = NonNullable<ImportOptions['columns']>;
type Props = {
  kind: Pick<ImportKind<never>, 'words' | 'hasOrderOptions'>;
  preview: FilePreview;
  answers: ImportOptions;
  failure: string;
  answer(given: ImportOptions): void;
  /** Called when a column is mapped to a different field. */
  change(): void;
  /** Returns to the rows, or to file selection if there are no rows. */
  close(): void;
};

const words = texts.importing.columnsStep;
const NONE = 'none';
const ENCODINGS = ['windows-1252', 'windows-1250', 'macintosh'];
const BY_STATION = 'auto';

/** Maps the columns of the file to fields and sets how its values are read. */
export function ImportColumns({ kind, preview, answers, failure, answer, change, close }: Props) {
  const { mapping, questions } = preview;
  const [columns, setColumns] = useState<Columns>({});
  const options = useForm(() => optionsOf(preview, answers));
  const [isSubmitted, setSubmitted] = useState(false);
  const asked = new Map(questions.map(({ column, fields }) => [column, fields]));
  const fieldOf = (name: string) => {
    if (Object.hasOwn(columns, name)) return columns[name] ?? NONE;
    return mapping.find((each) => each.name === name)?.field ?? (asked.has(name) ? '' : NONE);
  };
  const missing = questions.map(({ column }) => column).filter((name) => fieldOf(name) === '');

  function choose(name: string, field: TableField | null): void {
    change();
    // A field can have only one column, so unmap its previous column. States can be in several columns.
    const other = isStateField(field ?? undefined)
      ? undefined
      : mapping.find((each) => each.name !== name && fieldOf(each.name) === field);
    setColumns({ ...columns, ...(other === undefined || field === null ? {} : { [other.name]: null }), [name]: field });
  }

  const row = ({ name, samples }: FilePreview['mapping'][number], index: number) => (
    <div key={index} className={own.column}>
      <ChoiceField<string>
        name={name}
        label={name}
        help={samples.length === 0 ? words.empty : samples.join(' · ')}
        placeholder={words.choose}
        choices={choicesOf(kind.words.fields, asked.get(name) ?? [])}
        value={fieldOf(name)}
        onChange={(id) => choose(name, id === NONE ? null : (id as TableField))}
      />
    </div>
  );
  const [open, known] = [mapping.filter(({ name }) => asked.has(name)), mapping.filter(({ name }) => !asked.has(name))];

  return (
    <ProblemForm
      className={`${parts.stack4} ${own.columnsForm}`}
      aria-label={words.title}
      problems={isSubmitted ? Object.fromEntries(missing.map((name) => [name, words.unanswered])) : {}}
      onSubmit={() => {
        setSubmitted(true);
        if (missing.length === 0) answer({ ...answered(options.draft), columns: { ...answers.columns, ...columns } });
      }}
    >
      {open.length > 0 && (
        <section className={parts.stack2}>
          <h2 className={parts.title}>{words.questions}</h2>
          <p className={parts.quiet}>{words.questionsHint}</p>
          <div>{open.map(row)}</div>
        </section>
      )}
      {known.length > 0 && (
        <section className={parts.stack2}>
          <h2 className={parts.title}>{open.length > 0 ? words.others : words.title}</h2>
          <div>{known.map(row)}</div>
        </section>
      )}
      <OptionFields kind={kind} preview={preview} answers={answers} field={options.field} />
      <Failure>{failure}</Failure>
      <div className={parts.row}>
        <Button onPress={close}>{questions.length > 0 ? texts.importing.other : words.keep}</Button>
        <Button type="submit" look="primary" words={words.apply} />
      </div>
    </ProblemForm>
  );
}

type Options = ReturnType<typeof optionsOf>;
type OptionProps = Pick<Props, 'kind' | 'preview' | 'answers'> & {
  field: ReturnType<typeof useForm<Options>>['field'];
};

function OptionFields({ kind: { hasOrderOptions }, preview: { sheets }, answers, field }: OptionProps) {
  const hasSheets = sheets.length > 1;
  const hasEncoding = answers.encoding !== undefined;
  if (!hasOrderOptions && !hasSheets && !hasEncoding) return null;
  return (
    <section className={parts.stack2}>
      <h2 className={parts.title}>{words.options}</h2>
      <div className={own.options}>
        {hasOrderOptions && <LineField {...field('prefix')} label={words.prefix} hint={words.prefixHint} />}
        {hasSheets && (
          <ChoiceField {...field('sheet')} label={words.sheet} choices={sheets.map((id) => ({ id, text: id }))} />
        )}
        {hasEncoding && (
          <ChoiceField
            {...field('encoding')}
            label={words.encoding}
            choices={ENCODINGS.map((id) => ({ id, text: texts.importing.ask.encodingName(id) }))}
          />
        )}
        {hasOrderOptions && (
          <>
            <ChoiceField<string>
              {...field('decimal')}
              label={words.decimal}
              choices={[{ id: BY_STATION, text: words.asColumn }, ...listed(texts.importing.ask.decimals)]}
            />
            <ChoiceField<string>
              {...field('dateOrder')}
              label={words.dateOrder}
              choices={[{ id: BY_STATION, text: words.asWritten }, ...listed(words.dateOrders)]}
            />
          </>
        )}
      </div>
    </section>
  );
}

function optionsOf({ sheet }: FilePreview, answers: ImportOptions) {
  return {
    prefix: answers.order_prefix ?? '',
    sheet: answers.sheet ?? sheet ?? '',
    encoding: answers.encoding ?? '',
    decimal: (answers.decimal ?? BY_STATION) as string,
    dateOrder: (answers.date_order ?? BY_STATION) as string,
  };
}

/** Returns the chosen options, without those that the station should detect. */
function answered({ prefix, sheet, encoding, decimal, dateOrder }: Options): ImportOptions {
  return {
    order_prefix: orNone(prefix.trim()),
    sheet: orNone(sheet),
    encoding: orNone(encoding),
    decimal: orNone(decimal) as ImportOptions['decimal'],
    date_order: orNone(dateOrder) as ImportOptions['date_order'],
  };
}

function orNone(text: string): string | undefined {
  return text === '' || text === BY_STATION ? undefined : text;
}

function listed(texts: Readonly<Record<string, string>>): Choice[] {
  return Object.entries(texts).map(([id, text]) => ({ id, text }));
}

/** Returns the choices of fields for a column. The likeliest fields come first, then "none", then all other fields. */
function choicesOf(names: Readonly<Partial<Record<TableField, string>>>, likely: readonly TableField[]): Choice[] {
  const fields = [...new Set([...likely, ...(Object.keys(names) as TableField[])])];
  const named = fields.map((id) => ({ id, text: names[id] ?? id }));
  return [...named.slice(0, likely.length), { id: NONE, text: words.none }, ...named.slice(likely.length)];
}
