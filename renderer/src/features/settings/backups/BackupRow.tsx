import { Fragment } from 'react';
import { Download, RotateCcw, Trash2 } from 'lucide-react';
import type { Backup } from '#shared/api/backup.ts';
import { pathOf } from '../../../station/calls/call.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { followLink } from '../../../kit/download.ts';
import { Moment } from '../../../shop/Moment.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';
import styles from './Backups.module.css';
import { timeText } from '../../../words/formats.ts';

const words = texts.settings.backups;

/** One backup: when, why and by whom it was created, with its actions. */
export function BackupRow({ backup, act }: { backup: Backup; act(kind: 'restore' | 'remove'): void }) {
  const { name, kind, size, created, by, revision } = backup;
  const day = dayWords(created);
  return (
    <li className={styles.row}>
      <p className={styles.what}>
        <span className={styles.name}>{day}</span>
        <span className={styles.quiet}>
          <Moment at={created} words={(ago) => ago} /> · {sizeWords(size)}
        </span>
        <span className={styles.quiet}>{words.kinds[kind](by)}</span>
        {revision === null && <span className={parts.care}>{words.unreadable}</span>}
      </p>
      <div className={`${parts.rowMiddle} ${styles.do}`}>
        <Button onPress={() => act('restore')} aria-label={words.restoreOf(day)}>
          <RotateCcw size={18} aria-hidden="true" />
          {words.restore}
        </Button>
        <Button
          icon={Download}
          look="icon"
          aria-label={words.downloadOf(day)}
          onPress={() => followLink(pathOf('downloadBackup', { path: { name } }), name)}
        />
        <Button icon={Trash2} look="icon" aria-label={words.removeOf(day)} onPress={() => act('remove')} />
      </div>
    </li>
  );
}

/** Formats a day and time, such as `20 November 2026, 08:00`. */
export function dayWords(moment: string): string {
  return timeText('moment', moment);
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a size in the same way as file managers, such as `812 bytes`, `224 KB` or `1.2 GB`. */
export function sizeWords(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const text = size < 10 && unit > 1 ? size.toFixed(1) : String(Math.round(size));
  return `${text} ${UNITS[unit] ?? ''}`;
}

/** Renders a list of facts with their names. Entries that are false are skipped. */
export function Facts({ of }: { of: readonly (readonly [name: string, fact: string] | false)[] }) {
  return of.map(
    (fact) =>
      fact !== false && (
        <Fragment key={fact[0]}>
          <dt>{fact[0]}</dt>
          <dd>{fact[1]}</dd>
        </Fragment>
      ),
  );
}
