import type { ReactNode } from 'react';
import { Button } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import styles from './SettingsPage.module.css';

type SettingsNoticeProps = { title: string; lead: string; action: string; onAction(): void; children?: ReactNode };

/** A notice above all settings, with a button that resolves it. */
export function SettingsNotice({ title, lead, action, onAction, children }: SettingsNoticeProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={`${parts.stack1} ${styles.intro}`}>
        <h2>{title}</h2>
      </div>
      <div className={styles.card}>
        <div className={styles.notice}>
          <p className={parts.care} role="status">
            {lead}
          </p>
          <Button words={action} onPress={onAction} />
        </div>
        {children}
      </div>
    </section>
  );
}
