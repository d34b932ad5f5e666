import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { SettingsNotice } from './SettingsNotice.tsx';

const words = texts.settings.invalid;

/** Lists settings whose stored value is invalid. Renders nothing if all are valid. */
export function InvalidSettings({ saved, onSaved }: { saved: SettingsAnswer; onSaved(next: SettingsAnswer): void }) {
  const { api, toasts } = useServices();
  const names = saved.invalid_settings;

  const keep = () =>
    toasts.attempt(words.notKept, async () => {
      onSaved(await api.changeSettings(keptOf(saved), saved));
      toasts.show(words.kept);
    });

  if (names.length === 0) return null;
  return (
    <SettingsNotice title={words.title} lead={words.lead(names)} action={words.keep} onAction={() => void keep()} />
  );
}

/** Returns the values in use. Invalid secrets become null, because no value is in use for them. */
function keptOf(saved: SettingsAnswer): SettingsChange {
  const values: Readonly<Record<string, unknown>> = { ...saved };
  return Object.fromEntries(saved.invalid_settings.map((name) => [name, values[name] ?? null]));
}
