import { Check, ChevronDown, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import styles from './Code.module.css';
import { copyText } from './CopyLine.tsx';
import { type Shell, SHELLS } from './curlLine.ts';
import { Menu } from './Menu.tsx';
import parts from './parts.module.css';
import { texts } from './texts.ts';

/** How long "Copied" stays. */
const SAID_MS = 2_000;

type CodeProps = {
  /** What it is, for screen readers. */
  label: string;
  code: string;
  hint: string;
  /** What is other than it was asked for. */
  warning?: string;
  /** Above the code. */
  children?: ReactNode;
};

/** Something to copy. */
export function Code({ label, code, hint, warning = '', children }: CodeProps) {
  const shown = useRef<HTMLElement>(null);
  const [said, setSaid] = useState<'copied' | 'byHand'>();

  useEffect(() => {
    if (said === undefined) return undefined;
    const fading = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(fading);
  }, [said]);

  async function copy(): Promise<void> {
    if (await copyText(code)) return setSaid('copied');
    if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
    setSaid('byHand');
  }

  return (
    <div className={styles.code}>
      <div className={styles.head}>
        <div className={styles.about}>{children}</div>
        <span role="status" className={parts.quiet}>
          {said === 'byHand' ? texts.curl.byHand : ''}
        </span>
        <Button look="quiet" onPress={() => void copy()}>
          {said === 'copied' ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
          {said === 'copied' ? texts.curl.copied : texts.curl.copy}
        </Button>
      </div>
      <pre className={styles.line} tabIndex={0} role="region" aria-label={label}>
        <code ref={shown}>{code}</code>
      </pre>
      <p role="status" className={parts.careStrong}>
        {warning}
      </p>
      {hint !== '' && <p className={parts.quiet}>{hint}</p>}
    </div>
  );
}

/** For which shell a line is written. */
export function Shells({ shell, choose }: { shell: Shell; choose(shell: Shell): void }) {
  return (
    <Menu
      label={texts.curl.shell}
      placement="bottom start"
      trigger={
        <Button look="quiet" aria-label={`${texts.curl.shell}: ${texts.curl.shells[shell]}`}>
          {texts.curl.shells[shell]}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      groups={[{ rows: SHELLS.map((id) => ({ id, words: texts.curl.shells[id], run: () => choose(id) })) }]}
    />
  );
}

/** Indents JSON; leaves other text unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
