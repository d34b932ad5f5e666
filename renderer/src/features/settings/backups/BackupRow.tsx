import { Download, RotateCcw, Trash2 } from 'lucide-react';
import type { Backup } from '#shared/api/backup.ts';
import { backupPath } from '../../../station/backupApi.ts';
import { Button } from '../../../ui/Button.tsx';
import { followLink } from '../../../ui/download.ts';
import { texts } from '../../../ui/texts.ts';
import { Moment } from '../../../ui/Moment.tsx';
import { sizeWords } from '../sizeWords.ts';
import styles from './Backups.module.css';

const words = texts.settings.backups;

/** One backup: when, why and by whom it was made, and what can be done with it. */
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
        {revision === null && <span className={styles.care}>{words.unreadable}</span>}
      </p>
      <div className={styles.do}>
        <Button onPress={() => act('restore')} aria-label={words.restoreOf(day)}>
          <RotateCcw size={18} aria-hidden="true" />
          {words.restore}
        </Button>
        <Button look="icon" aria-label={words.downloadOf(day)} onPress={() => followLink(backupPath(name), name)}>
          <Download size={18} aria-hidden="true" />
        </Button>
        <Button look="icon" aria-label={words.removeOf(day)} onPress={() => act('remove')}>
          <Trash2 size={18} aria-hidden="true" />
        </Button>
      </div>
    </li>
  );
}

/** `20 November 2026, 08:00`. */
export function dayWords(moment: string): string {
  return new Date(moment).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
}
