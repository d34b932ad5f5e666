import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { parseColor } from '#shared/led/color.ts';
import { ColorField } from '../../shop/device/ColorField.tsx';
import { Button } from '../../kit/button/Button.tsx';
import { rowsOf } from '../../kit/field/drafts.ts';
import { LineField, fieldsOf } from '../../kit/field/fields.tsx';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import { readWhole } from '../../kit/field/readWhole.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import rows from '../../shop/work/DraftRows.module.css';
import { PlaceField } from '../../shop/place/PlaceField.tsx';
import { NO_STEP, type SequenceDraft, type StepDraft } from './sequenceDraft.ts';

const words = texts.sequences.form;

type Props = { draft: SequenceDraft; set(draft: SequenceDraft): void; isNamed: boolean };

/** The form of a sequence: its id, and the most important fields of each step. */
export function SequenceForm({ draft, set, isNamed }: Props) {
  const { steps } = draft;
  const [lastAdded, setLastAdded] = useState<number>();
  const stepRows = rowsOf(steps, (changed) => set({ ...draft, steps: changed }));

  function add(together: boolean): void {
    const last = readWhole(steps.at(-1)?.order ?? '') ?? 0;
    const { color = '', seconds = '' } = steps.at(-1) ?? {};
    setLastAdded(stepRows.add({ ...NO_STEP, order: String(together ? last : last + 1), color, seconds }));
  }

  const field = fieldsOf(draft, (change) => set({ ...draft, ...change }));
  return (
    <>
      <div className={`${parts.stack4} ${rows.about}`}>
        {!isNamed && (
          <LineField {...field('sequenceid')} label={words.id} help={words.idHint} autoComplete="off" autoFocus />
        )}
        <LineField
          {...field('nonce')}
          name="sequencenonce"
          label={words.nonce}
          help={words.nonceHint}
          autoComplete="off"
          autoFocus={isNamed}
        />
      </div>
      <ol className={rows.list}>
        {steps.map((step, index) => (
          <Step
            key={step.id}
            step={step}
            number={index + 1}
            isNew={step.id === lastAdded}
            change={(change) => stepRows.change(step.id, change)}
            remove={steps.length === 1 ? undefined : () => stepRows.remove(step.id)}
          />
        ))}
      </ol>
      <div className={parts.row}>
        <Button icon={Plus} words={words.addStep} onPress={() => add(false)} />
        <Button icon={Plus} words={words.addTogether} onPress={() => add(true)} />
      </div>
    </>
  );
}

type StepProps = {
  step: StepDraft;
  number: number;
  isNew: boolean;
  change(change: Partial<StepDraft>): void;
  remove: (() => void) | undefined;
};

function Step({ step, number, isNew, change, remove }: StepProps) {
  const { rest } = step;
  const field = fieldsOf(step, change, step.id);
  const more = Object.entries(rest).flatMap(([key, value]) => (value === '' || value === null ? [] : [key]));
  const line = (name: 'line1' | 'line2', label: string) => (
    <LineField {...field(name)} label={label} autoComplete="off" />
  );
  const figure = (name: 'order' | 'quantity' | 'seconds', label: string, by = 1) => (
    <NumberLine {...field(name)} label={label} step={by} />
  );
  return (
    <li className={`${parts.panel} ${rows.row}`} data-columns="step" aria-label={words.step(number)}>
      {figure('order', words.group)}
      <PlaceField chooses="place" {...field('place')} label={words.place} autoFocus={isNew} />
      {line('line1', words.line1)}
      {line('line2', words.line2)}
      <div className={rows.end}>
        <Button
          icon={X}
          look="icon"
          aria-label={words.removeStep(number)}
          isDisabled={remove === undefined}
          onPress={() => remove?.()}
        />
      </div>
      {figure('quantity', words.quantity)}
      <ColorField
        {...field('color')}
        label={words.color}
        placeholder=""
        led={step.color.trim() === '' ? null : parseColor(step.color)}
      />
      {figure('seconds', words.seconds, 30)}
      {more.length > 0 && <p className={rows.wide}>{words.hasMore(more.join(', '))}</p>}
    </li>
  );
}
