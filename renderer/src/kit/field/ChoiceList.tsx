import { Label, Radio, RadioGroup } from 'react-aria-components';
import { useProblem } from './ProblemForm.tsx';
import styles from './ChoiceList.module.css';
import parts from '../parts.module.css';

type Props<Id extends string> = {
  /** Key of the field in the problems of its form. */
  name?: string;
  label: string;
  choices: readonly { id: Id; word: string; help: string }[];
  value: NoInfer<Id>;
  onChange(id: NoInfer<Id>): void;
};

/** A choice between a few options, each with an explanation. */
export function ChoiceList<Id extends string>({ name = '', label, choices, value, onChange }: Props<Id>) {
  const { isInvalid, error } = useProblem(name);
  return (
    <RadioGroup
      className={parts.stack1 ?? ''}
      isInvalid={isInvalid}
      data-field={name === '' ? undefined : name}
      value={value}
      onChange={(chosen) => {
        const next = choices.find(({ id }) => id === chosen);
        if (next !== undefined) onChange(next.id);
      }}
    >
      <Label className={parts.medium ?? ''}>{label}</Label>
      <div className={styles.list}>
        {choices.map(({ id, word, help }) => (
          <Radio key={id} value={id} className={styles.choice ?? ''}>
            <span className={styles.ring} aria-hidden="true" />
            <span className={styles.words}>
              <span className={parts.medium}>{word}</span>
              <span className={parts.quiet}>{help}</span>
            </span>
          </Radio>
        ))}
      </div>
      {error}
    </RadioGroup>
  );
}
