import { Check, ChevronDown, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button/Button.tsx';
import styles from './Code.module.css';
import { useCopy } from '../button/CopyLine.tsx';
import { type Shell, SHELLS } from './curlLine.ts';
import { Menu } from '../menu/Menu.tsx';
import parts from '../parts.module.css';
import * as texts from '../../words/texts.ts';

type CodeProps = {
  /** Description of the code for screen readers. */
  label: string;
  code: string;
  hint: string;
  /** Warning that the code's result differs from the request. */
  warning?: string;
  /** Content above the code. */
  children?: ReactNode;
};

/** A block of code with a copy button. */
export function Code({ label, code, hint, warning = '', children }: CodeProps) {
  const { shown, said, copy } = useCopy(code, true);

  return (
    <div className={styles.code}>
      <div className={styles.head}>
        <div className={styles.about}>{children}</div>
        <span role="status" className={parts.quiet}>
          {said === 'byHand' ? texts.curl.byHand : ''}
        </span>
        <Button
          icon={said === 'copied' ? Check : Copy}
          words={said === 'copied' ? texts.curl.copied : texts.curl.copy}
          look="quiet"
          onPress={() => void copy()}
        />
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

/** Buttons that choose the shell for which a command is written. */
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
