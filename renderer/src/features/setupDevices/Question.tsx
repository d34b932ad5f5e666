import { ArrowRightLeft, Check, X } from 'lucide-react';
import { useState } from 'react';
import { useStationState } from '../../station/context.ts';
import { isAmbiguous, type LabelChange, LabelMeaning } from '../../shop/place/LabelMeaning.tsx';
import parts from '../../kit/parts.module.css';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { BigButton } from '../pick/BigButton.tsx';
import type { DeviceSetup } from './setup.ts';
import { nameIn, type SetupState } from './setupContext.ts';
import styles from './SetupDevices.module.css';

type Asked = NonNullable<SetupState['question']>;
type Props<Kind> = { setup: DeviceSetup; question: Extract<Asked, { kind: Kind }>; isBusy: boolean };

/** Asks what to do if another device has the place, or what another place means for a device that has one. */
export function Question({ setup, question, isBusy }: Omit<Props<Asked['kind']>, 'question'> & { question: Asked }) {
  return question.kind === 'taken' ? (
    <Taken setup={setup} question={question} isBusy={isBusy} />
  ) : (
    <Meaning key={question.place} setup={setup} question={question} isBusy={isBusy} />
  );
}

function Taken({ setup, question: { place, before, holders }, isBusy }: Props<'taken'>) {
  const station = useStationState((state) => state.station);
  const { labels, cell } = holders;
  const isElsewhere = cell !== undefined && !labels.includes(cell);
  return (
    <section className={styles.question} role="alert" aria-labelledby="taken">
      <h3 id="taken" className={styles.ask}>
        {words.question.title(place)}
      </h3>
      {labels.length > 0 && <p>{words.question.label(labels, place)}</p>}
      {isElsewhere && station !== null && <p>{words.question.cell(nameIn(station, cell), place)}</p>}
      {isAmbiguous(before, place) && <p>{words.question.stay(before)}</p>}
      <p className={parts.quiet}>{words.question.scan}</p>
      <div className={styles.choices} data-wide>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- focuses the safe answer to the question */}
        <BigButton autoFocus icon={X} onPress={setup.dismissQuestion}>
          {words.question.other}
        </BigButton>
        <BigButton icon={ArrowRightLeft} isDisabled={isBusy} onPress={() => void setup.take(place, 'move')}>
          {words.question.move(place)}
        </BigButton>
      </div>
    </section>
  );
}

function Meaning({ setup, question: { place, before }, isBusy }: Props<'meaning'>) {
  const [meaning, setMeaning] = useState<LabelChange>('');
  return (
    <section className={styles.question} role="alert" aria-labelledby="meaning">
      <h3 id="meaning" className={styles.ask}>
        {words.question.from(before, place)}
      </h3>
      <LabelMeaning before={before} label={place} value={meaning} onChange={setMeaning} />
      <div className={styles.choices} data-wide>
        <BigButton icon={X} onPress={setup.dismissQuestion}>
          {words.question.other}
        </BigButton>
        <BigButton icon={Check} isDisabled={isBusy || meaning === ''} onPress={() => void setup.take(place, meaning)}>
          {meaning === '' ? words.question.choose : words.place.take(place)}
        </BigButton>
      </div>
    </section>
  );
}
