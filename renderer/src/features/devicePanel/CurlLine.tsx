import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './CurlLine.module.css';

/** How long "Copied" stays. */
const SAID_MS = 2_000;

/** The command line that does the same as the form, to copy. */
export function CurlLine({ line }: { line: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState<'copied' | 'byHand'>();

  useEffect(() => {
    if (said === undefined) return undefined;
    const fading = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(fading);
  }, [said]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(line);
      setSaid('copied');
    } catch {
      // Over plain HTTP on the LAN there is no clipboard: select it, so that one key copies it.
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      setSaid('byHand');
    }
  }

  return (
    <div className={styles.place}>
      <div className={styles.head}>
        <h4 className={styles.title}>{texts.curl.title}</h4>
        <span role="status" className={styles.said}>
          {said === 'byHand' ? texts.curl.byHand : ''}
        </span>
        <Button look="quiet" onPress={() => void copy()}>
          {said === 'copied' ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
          {said === 'copied' ? texts.curl.copied : texts.curl.copy}
        </Button>
      </div>
      <pre className={styles.line} tabIndex={0} role="region" aria-label={texts.curl.label}>
        <code ref={code}>{line}</code>
      </pre>
    </div>
  );
}
