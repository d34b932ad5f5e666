import { useState } from 'react';
import type { StateMeaning } from '#shared/lib/tables/states.ts';
import type { ImportOptions } from '../station/calls/importApi.ts';
import { Button } from '../kit/button/Button.tsx';
import { ChoiceList } from '../kit/field/ChoiceList.tsx';
import { Failure } from '../kit/feedback/EmptyState.tsx';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';
import own from './ImportColumns.module.css';
import type { FileQuestion, FilePreview } from './readFile.ts';
import { UnitQuestion } from './UnitQuestion.tsx';

const words = texts.importing.ask;

type Answer = { answer(given: ImportOptions): void };
type Props = Answer & { question: FileQuestion; sheetLabel: string; failure: string; back(): void };

/** Asks for the encoding or the sheet without which the station cannot read the file. */
export function ImportQuestion({ question: { option, choices }, sheetLabel, failure, answer, back }: Props) {
  const [value, setValue] = useState(choices[0]?.value ?? '');
  return (
    <section className={`${parts.stack4} ${own.question}`}>
      <ChoiceList
        label={option === 'sheet' ? sheetLabel : words.encoding}
        choices={choices.map((each) => ({
          id: each.value,
          word: option === 'encoding' ? words.encodingName(each.value) : each.value,
          help: each.said,
        }))}
        value={value}
        onChange={setValue}
      />
      <Failure>{failure}</Failure>
      <div className={parts.row}>
        <Button onPress={back}>{texts.importing.other}</Button>
        <Button look="primary" onPress={() => answer({ [option]: value })}>
          {words.next}
        </Button>
      </div>
    </section>
  );
}

/** Asks about ambiguous numbers, dates, states, units, paths and labels of a readable file. */
export function OpenValues({ preview, unclear, dark, answers, answer }: Answer & Asked) {
  const paths = preview.asks_place_paths;
  const { units = {}, place_paths: samePaths = [] } = answers;
  const asksUnits = preview.asks_units.filter((unit) => !Object.hasOwn(units, unit));
  const asksDate = preview.asks_date_order && answers.date_order === undefined;
  return (
    <>
      {unclear !== undefined && answers.decimal === undefined && (
        <Ask said={words.decimal(unclear)} choices={words.decimals} answer={(decimal) => answer({ decimal })} />
      )}
      {asksDate && (
        <Ask said={words.dateOrder} choices={words.dateOrders} answer={(order) => answer({ date_order: order })} />
      )}
      {statesOf(preview, answers).map(({ word, meaning }) => (
        <Ask
          key={word}
          said={words.state(word)}
          choices={words.states}
          chosen={meaning}
          answer={(state) => answer({ states: { ...answers.states, [word]: state } })}
        />
      ))}
      {(preview.asks_unpaid === true || answers.unpaid !== undefined) && (
        <Ask
          said={words.unpaid}
          choices={words.unpaids}
          chosen={answers.unpaid}
          answer={(unpaid) => answer({ unpaid })}
        />
      )}
      {(asksUnits.length > 0 || Object.keys(units).length > 0) && (
        <UnitQuestion key={JSON.stringify([asksUnits, units])} asked={asksUnits} answered={units} answer={answer} />
      )}
      {samePaths.length > 0 && (
        <Ask
          said={words.pathsKnown(samePaths)}
          choices={words.pathsKnownChoices}
          answer={() => answer({ place_paths: [] })}
        />
      )}
      {paths.length > 0 && (
        <Ask
          said={words.paths(paths)}
          choices={words.pathsChoices}
          answer={() => answer({ place_paths: [...new Set([...samePaths, ...paths])] })}
        />
      )}
      {(dark.length > 0 || answers.moves !== undefined) && (
        <Ask
          said={words.moves(dark)}
          choices={words.movesChoices}
          chosen={answers.moves}
          answer={(moves) => answer({ moves })}
        />
      )}
    </>
  );
}

/** Maximum number of states to ask about at the same time. */
const MOST_STATES = 8;

/** Returns the states that are asked about, answered ones first. */
function statesOf(
  { asks_states: asked = [] }: Pick<FilePreview, 'asks_states'>,
  { states = {} }: ImportOptions,
): { word: string; meaning: StateMeaning | undefined }[] {
  const answered = Object.entries(states).map(([word, meaning]) => ({ word, meaning }));
  const open = asked
    .filter(({ word }) => !Object.hasOwn(states, word))
    .map(({ word }) => ({ word, meaning: undefined }));
  return [...answered, ...open].slice(0, answered.length + MOST_STATES);
}

/**
 * Data of the questions about ambiguous values. `unclear` is the text of a number that can be read in two ways. `dark` are the places with
 * goods that the file would leave without a light.
 */
type Asked = {
  preview: Pick<FilePreview, 'asks_date_order' | 'asks_place_paths' | 'asks_states' | 'asks_units' | 'asks_unpaid'>;
  unclear: string | undefined;
  dark: readonly string[];
  answers: ImportOptions;
};

type AskProps<Id extends string> = {
  said: string;
  choices: Readonly<Record<Id, string>>;
  /** The answer so far, which can be changed. Without it, the question is open. */
  chosen?: Id | undefined;
  answer(id: Id): void;
};

function Ask<Id extends string>({ said, choices, chosen, answer }: AskProps<Id>) {
  return (
    <div className={`${parts.panel} ${parts.rowMiddle} ${own.ask}`} role="group" aria-label={said}>
      <p>{said}</p>
      {(Object.entries(choices) as [Id, string][]).map(([id, text]) => (
        <Button
          key={id}
          {...(id === chosen ? { look: 'primary' as const } : {})}
          aria-pressed={chosen === undefined ? undefined : id === chosen}
          onPress={() => answer(id)}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}
