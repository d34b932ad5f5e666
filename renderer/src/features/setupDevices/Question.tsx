import { ArrowRightLeft, X } from 'lucide-react';
import { useStationState } from '../../station/context.ts';
import parts from '../../kit/parts.module.css';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { BigButton } from '../pick/BigButton.tsx';
import type { DeviceSetup } from './setup.ts';
import { nameIn, type SetupState } from './setupContext.ts';
import styles from './SetupDevices.module.css';

type Props = { setup: DeviceSetup; question: NonNullable<SetupState['question']>; isBusy: boolean };

/** Asks whether to assign a place to this device although another device has it. */
export function Question({ setup, question: { place, holders }, isBusy }: Props) {
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
      <p className={parts.quiet}>{words.question.scan}</p>
      <div className={styles.choices} data-wide>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- focuses the safe answer to the question */}
        <BigButton autoFocus icon={X} onPress={setup.dismissQuestion}>
          {words.question.other}
        </BigButton>
        <BigButton icon={ArrowRightLeft} isDisabled={isBusy} onPress={() => void setup.take(place, true)}>
          {words.question.move(place)}
        </BigButton>
      </div>
    </section>
  );
}
