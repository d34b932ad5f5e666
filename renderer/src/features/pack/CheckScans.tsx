import { Check, ScanBarcode, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import parts from '../../kit/parts.module.css';
import { useScans } from '../../scan/useScans.ts';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import { pack } from '../../words/pack.ts';
import styles from './Pack.module.css';
import type { PackCheck } from './usePackCheck.ts';

const words = pack.check;
const ONLY_CODES = { has: () => true, haveNumbers: true };
/** Milliseconds within which a repeated code counts once. People take longer between two equal pieces. */
const SAME_MS = 400;

/** Listens to the scanner and shows the result of the last scan. */
export function CheckScans({ check: { said, scan, repeated, unreadable } }: { check: PackCheck }) {
  const sounds = useAnswerSounds();
  useScans(({ code, second }) => scan(second === undefined ? [code] : [code, second]), {
    sameMs: () => SAME_MS,
    repeated: ({ code }) => repeated(code),
    // Accept slow scanners, too, because everything typed here is a code.
    entry: {
      names: () => ONLY_CODES,
      entered: () => undefined,
      signed: () => undefined,
      typed: () => undefined,
      cleared: () => undefined,
      inert: () => undefined,
      enter: (_, press) => press(),
      unreadable,
    },
  });
  useEffect(() => {
    if (said === undefined) return;
    if (said.isRight) sounds.right();
    else sounds.wrong();
  }, [said, sounds]);
  const Icon = said === undefined ? ScanBarcode : said.isRight ? Check : TriangleAlert;
  return (
    <div className={styles.said} data-wrong={said?.isRight === false || undefined} role="status">
      <Icon size={26} aria-hidden="true" />
      <div>
        {said !== undefined && <p className={styles.saidText}>{said.text}</p>}
        <p className={parts.quiet}>{words.note}</p>
      </div>
    </div>
  );
}
