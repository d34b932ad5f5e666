import { useState } from 'react';
import type { ImportOptions } from '../station/calls/importApi.ts';
import { Button } from '../kit/button/Button.tsx';
import { LineField } from '../kit/field/fields.tsx';
import { readWhole } from '../kit/field/readWhole.ts';
import { ProblemForm } from '../kit/field/ProblemForm.tsx';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';
import own from './ImportColumns.module.css';

const words = texts.importing.ask;

type Props = { units: readonly string[]; given: ImportOptions['units']; answer(given: ImportOptions): void };

/** Asks how many pieces units such as “Karton” have. Units without an answer stay open. */
export function UnitQuestion({ units, given, answer }: Props) {
  const [pieces, setPieces] = useState<Readonly<Record<string, string>>>({});
  const [isSubmitted, setSubmitted] = useState(false);
  const filled = units.flatMap((unit): [string, number][] => {
    const many = readWhole(pieces[unit] ?? '') ?? 0;
    return many === 0 ? [] : [[unit, many]];
  });
  const [first = ''] = units;
  return (
    <ProblemForm
      className={`${parts.panel} ${parts.rowMiddle} ${own.ask}`}
      aria-label={words.units}
      problems={isSubmitted && filled.length === 0 ? { [first]: words.unitEmpty } : {}}
      onSubmit={() => {
        setSubmitted(true);
        if (filled.length > 0) answer({ units: { ...given, ...Object.fromEntries(filled) } });
      }}
    >
      <p>{words.units}</p>
      {units.map((unit) => (
        <LineField
          key={unit}
          name={unit}
          label={words.unit(unit)}
          inputMode="numeric"
          value={pieces[unit] ?? ''}
          onChange={(many) => setPieces({ ...pieces, [unit]: many })}
        />
      ))}
      <Button type="submit" words={words.next} />
    </ProblemForm>
  );
}
