import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import styles from './CopyLine.module.css';
import parts from '../parts.module.css';
import * as texts from '../../words/texts.ts';

/** Time in milliseconds for which the message "Copied" is shown. */
const SAID_MS = 2_000;

const words = texts.users.secrets;

/** A value with a button that copies it. */
export function CopyLine({ label, help, value }: { label: string; help?: string; value: string }) {
  const { shown, said, copy } = useCopy(value, false);

  return (
    <div className={`${parts.stack1} ${styles.line}`} role="group" aria-label={label}>
      <p className={styles.label}>
        <span className={parts.medium}>{label}</span>
        {help !== undefined && <span className={styles.help}>{help}</span>}
      </p>
      <div className={`${parts.middle2} ${styles.box}`}>
        <code ref={shown} className={styles.value}>
          {value}
        </code>
        <Button
          icon={said === 'copied' ? Check : Copy}
          words={said === 'copied' ? words.copied : words.copy}
          look="quiet"
          aria-label={words.copyOf(label)}
          onPress={() => void copy()}
        />
      </div>
      <p role="status" className={styles.said}>
        {said === 'byHand' ? words.byHand : ''}
        {said === 'copied' && <span className="visuallyHidden">{words.copied}</span>}
      </p>
    </div>
  );
}

/**
 * Copies a text or, if that fails, selects it in `shown` to be copied by hand. The returned `said` is the result to show as a short
 * message.
 */
export function useCopy(text: string, fadesByHand: boolean) {
  const shown = useRef<HTMLElement>(null);
  const [said, setSaid] = useState<'copied' | 'byHand'>();

  useEffect(() => {
    if (said === undefined || (said === 'byHand' && !fadesByHand)) return undefined;
    const fading = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(fading);
  }, [said, fadesByHand]);

  async function copy(): Promise<void> {
    if (await copyText(text)) return setSaid('copied');
    if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
    setSaid('byHand');
  }

  return { shown, said, copy };
}

/** Copies a text to the clipboard. Returns whether this succeeded; browsers can forbid it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain HTTP the clipboard API is missing, but the older method works in most browsers.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const box = document.createElement('textarea');
  box.value = text;
  box.style.position = 'fixed';
  box.style.opacity = '0';
  document.body.append(box);
  box.select();
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without a secure context
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    box.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
