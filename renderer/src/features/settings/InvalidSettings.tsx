import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import { Button } from '../../ui/Button.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import styles from './SettingsPage.module.css';

const words = texts.settings.invalid;

/** What to do about settings whose stored value is not valid; nothing if all are. */
export function InvalidSettings({ saved, onSaved }: { saved: SettingsAnswer; onSaved(next: SettingsAnswer): void }) {
  const { api, toasts } = useServices();
  const names = saved.invalid_settings;

  const keep = () =>
    toasts.attempt(words.notKept, async () => {
      onSaved(await api.changeSettings(keptOf(saved), saved));
      toasts.say(words.kept);
    });

  if (names.length === 0) return null;
  return (
    <section className={styles.section} aria-label={words.title}>
      <div className={`${parts.stack1} ${styles.intro}`}>
        <h2>{words.title}</h2>
      </div>
      <div className={styles.card}>
        <div className={styles.secret}>
          <p className={`${parts.care} ${styles.secretWords}`} role="status">
            {words.lead(names)}
          </p>
          <Button words={words.keep} onPress={() => void keep()} />
        </div>
      </div>
    </section>
  );
}

/** The values in use. A secret has none: it is cleared. */
function keptOf(saved: SettingsAnswer): SettingsChange {
  const values: Readonly<Record<string, unknown>> = { ...saved };
  return Object.fromEntries(saved.invalid_settings.map((name) => [name, values[name] ?? null]));
}
