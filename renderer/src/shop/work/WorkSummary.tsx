import type { ReactNode } from 'react';
import { History, Map as MapIcon } from 'lucide-react';
import parts from '../../kit/parts.module.css';
import { ButtonLink } from '../../kit/button/Button.tsx';
import { useDevice } from '../../station/context.ts';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import * as texts from '../../words/texts.ts';
import { WhyLit } from '../timeline/CommandTimeline.tsx';
import styles from './WorkSummary.module.css';

type Props = {
  meter: ReactNode;
  /** The meter's value in words. */
  said: string;
  /** Unusual facts, such as shorts. */
  notes: string;
  /** Links at the end. */
  end?: ReactNode;
  children: ReactNode;
};

/** The progress of an order or sequence, with a few facts. */
export function WorkSummary({ meter, said, notes, end, children }: Props) {
  return (
    <section className={`${parts.card} ${styles.card}`} aria-label={said}>
      <div className={`${parts.stack2} ${styles.progress}`}>
        <p className={styles.said}>
          <span className={styles.large}>{said}</span>
          <span className={parts.quiet}>{notes}</span>
        </p>
        {meter}
      </div>
      <dl className={styles.facts}>{children}</dl>
      {end !== undefined && <div className={`${parts.row} ${styles.end}`}>{end}</div>}
    </section>
  );
}

/** A name with its value. With `isWide`, the fact uses a whole line on a phone. */
export function Fact({ name, isWide = false, children }: { name: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={styles.fact} data-wide={isWide || undefined}>
      <dt className={parts.quiet}>{name}</dt>
      <dd className={`${parts.middle2} ${styles.value}`}>{children}</dd>
    </div>
  );
}

type MeterProps = {
  done: number;
  all: number;
  /** Part of `done` that was closed short. */
  short?: number;
};

/** A progress meter. The meter is decorative, so describe the progress in text nearby. */
export function Meter({ done, all, short = 0 }: MeterProps) {
  const percent = (part: number) => `${all === 0 ? 0 : Math.min(100, (part / all) * 100)}%`;
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.done} style={{ width: percent(done - short) }} />
      <span className={styles.short} style={{ width: percent(short) }} />
    </span>
  );
}

/** Links from an order or sequence to its history and, while something is lit, to the map. `map` is undefined if nothing is lit. */
export function WorkLinks({ map, history }: { map: string | undefined; history: string }) {
  return (
    <>
      {map !== undefined && <ButtonLink icon={MapIcon} words={texts.work.onMap} to={map} />}
      <ButtonLink icon={History} words={texts.work.history} to={history} />
    </>
  );
}

export type Why = { name: string; deviceid: string; commandId: string };

/** A dialog with the timeline of a command that an order or sequence has lit. */
export function WhyDialog({ why: { name, deviceid, commandId }, close }: { why: Why; close(): void }) {
  const device = useDevice(deviceid);
  return (
    <Dialog title={texts.work.whyTitle(name)} isOpen onClose={close}>
      {device === undefined ? <p>{texts.work.gone}</p> : <WhyLit commandId={commandId} device={device} />}
    </Dialog>
  );
}
