import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { texts } from './texts.ts';
import { copyText } from './copyText.ts';
import styles from './CopyLine.module.css';

/** How long "Copied" stays. */
const SAID_MS = 2_000;

const words = texts.users.secrets;

type Props = { label: string; help?: string; value: string };

/** Something to take along, as it stands, with a button that copies it. */
export function CopyLine({ label, help, value }: Props) {
  const shown = useRef<HTMLElement>(null);
  const [said, setSaid] = useState<'copied' | 'byHand'>();

  useEffect(() => {
    if (said !== 'copied') return undefined;
    const fading = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(fading);
  }, [said]);

  async function copy(): Promise<void> {
    if (await copyText(value)) return setSaid('copied');
    if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
    setSaid('byHand');
  }

  return (
    <div className={styles.line} role="group" aria-label={label}>
      <p className={styles.label}>
        <span className={styles.name}>{label}</span>
        {help !== undefined && <span className={styles.help}>{help}</span>}
      </p>
      <div className={styles.box}>
        <code ref={shown} className={styles.value}>
          {value}
        </code>
        <Button look="quiet" aria-label={words.copyOf(label)} onPress={() => void copy()}>
          {said === 'copied' ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
          {said === 'copied' ? words.copied : words.copy}
        </Button>
      </div>
      <p role="status" className={styles.said}>
        {said === 'byHand' ? words.byHand : ''}
        {said === 'copied' && <span className="visuallyHidden">{words.copied}</span>}
      </p>
    </div>
  );
}
