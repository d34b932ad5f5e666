import { Check, Play, Printer } from 'lucide-react';
import layout from '../../kit/page/Page.module.css';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { BigButton } from '../pick/BigButton.tsx';
import styles from './SetupDevices.module.css';
import { type Done, secondsEach } from './steps.ts';

type Props = { done: readonly Done[]; print(): void; resume(): void; finish(): void };

/** Shows the devices that were set up, and the time per device. */
export function Summary({ done, print, resume, finish }: Props) {
  const seconds = secondsEach(done);
  return (
    <div className={layout.page}>
      <PageHeader title={words.title} />
      <main className={styles.content}>
        <div className={styles.summary}>
          <div>
            <h2 className={styles.ask}>{words.summary.title(done.length)}</h2>
            <p className={styles.hint}>{seconds === undefined ? words.summary.none : words.summary.figures(seconds)}</p>
          </div>
          <div className={styles.choices} data-wide>
            {done.length > 0 && (
              <BigButton look="main" icon={Printer} onPress={print}>
                {words.summary.print}
              </BigButton>
            )}
            <BigButton icon={Play} onPress={resume}>
              {words.summary.go}
            </BigButton>
            <BigButton icon={Check} onPress={finish}>
              {words.summary.finish}
            </BigButton>
          </div>
          {done.length > 0 && (
            <ul className={styles.rows} aria-label={words.summary.list}>
              {done.map(({ place, before, at, tookMs }) => (
                <li key={at} className={styles.doneRow}>
                  <span className={styles.rowName}>{place}</span>
                  <span>
                    {before.deviceid}
                    {before.label !== '' && <span className={parts.quiet}> {words.summary.was(before.label)}</span>}
                  </span>
                  <span className={parts.figures}>{words.summary.took(Math.round(tookMs / 100) / 10)}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </main>
    </div>
  );
}
