import { useState } from 'react';
import { valueAt } from '#shared/lib/station/valueAt.ts';
import type { ImportOptions } from '../station/calls/importApi.ts';
import { Button } from '../kit/button/Button.tsx';
import { LineField } from '../kit/field/fields.tsx';
import { readWhole } from '../kit/field/readWhole.ts';
import { ProblemForm } from '../kit/field/ProblemForm.tsx';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';
import own from './ImportColumns.module.css';

const words = texts.importing.ask;

type Props = {
  asked: readonly string[];
  answered: Readonly<Record<string, number>>;
  answer(given: ImportOptions): void;
};

/** Asks for the number of pieces in units such as “Karton”. Units without a number stay open, and people can correct answers. */
export function UnitQuestion({ asked, answered, answer }: Props) {
  const known = Object.entries(answered).map(([unit, many]) => [unit, String(many)]);
  const [pieces, setPieces] = useState<Readonly<Record<string, string>>>(Object.fromEntries(known));
  const [isSubmitted, setSubmitted] = useState(false);
  const units = [...Object.keys(answered), ...asked];
  const typed = units
    .map((unit) => ({ unit, text: (valueAt(pieces, unit) ?? '').trim() }))
    .filter(({ text }) => text !== '');
  const problems: Record<string, string> = Object.fromEntries(
    typed.filter(({ text }) => (readWhole(text) ?? 0) === 0).map(({ unit }) => [unit, words.unitWrong]),
  );
  const [first = ''] = asked;
  if (known.length === 0 && typed.length === 0) problems[first] = words.unitEmpty;
  const said = asked.length > 0 ? words.units : words.unitsKnown;
  return (
    <ProblemForm
      className={`${parts.panel} ${parts.rowMiddle} ${own.ask}`}
      aria-label={said}
      problems={isSubmitted ? problems : {}}
      onSubmit={() => {
        setSubmitted(true);
        if (Object.keys(problems).length > 0) return;
        answer({ units: Object.fromEntries(typed.map(({ unit, text }) => [unit, Number(text)])) });
      }}
    >
      <p>{said}</p>
      {units.map((unit) => (
        <LineField
          key={unit}
          name={unit}
          label={words.unit(unit)}
          inputMode="numeric"
          value={valueAt(pieces, unit) ?? ''}
          onChange={(many) => setPieces({ ...pieces, [unit]: many })}
        />
      ))}
      <Button type="submit" words={asked.length > 0 ? words.next : words.change} />
    </ProblemForm>
  );
}
