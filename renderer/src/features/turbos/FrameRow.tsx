import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { memo } from 'react';
import type { TurboFrame } from '#shared/api/turbo.ts';
import { texts } from '../../ui/texts.ts';
import { fieldWords, valueWords } from './findFrames.ts';
import styles from './Frames.module.css';
import { clockWords } from './turboWords.ts';

const words = texts.turbos.frames;
const ARROWS = { in: ArrowDownLeft, out: ArrowUpRight } as const;

/** One frame in a line; opened, all of it. `lost`: how many before it were never read. */
export const FrameRow = memo(function FrameRow({ frame, lost }: { frame: TurboFrame; lost: number }) {
  const { at, direction, message, answers, device, repeated } = frame;
  const Arrow = ARROWS[direction];
  return (
    <li>
      <details className={styles.frame}>
        <summary>
          <time dateTime={at} className={styles.time}>
            {clockWords(at)}
          </time>
          <span className={styles.arrow} title={words[direction]}>
            <Arrow size={16} aria-hidden="true" />
            <span className="visuallyHidden">{words[direction]}</span>
          </span>
          <span className={styles.message}>
            {message}
            {answers !== null && <span className={styles.quiet}> {words.answers(answers)}</span>}
            {repeated && <span className={styles.again}>{words.repeated}</span>}
          </span>
          <span className={styles.device}>{device}</span>
          <span className={styles.fields}>{fieldWords(frame)}</span>
        </summary>
        <Whole frame={frame} />
      </details>
      {lost > 0 && <p className={styles.gap}>{words.gap(lost)}</p>}
    </li>
  );
});

function Whole({ frame: { number, sequence, fields, bytes } }: { frame: TurboFrame }) {
  return (
    <div className={styles.whole}>
      <p className={styles.quiet}>
        {words.number(number)}, {words.sequence} {sequence}
      </p>
      <dl className={styles.values}>
        {Object.entries(fields).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{valueWords(value)}</dd>
          </div>
        ))}
        <div>
          <dt>{words.bytes}</dt>
          <dd className={styles.bytes}>{bytes}</dd>
        </div>
      </dl>
    </div>
  );
}
