import { useState } from 'react';
import { MIN_PASSWORD_CHARACTERS } from '#shared/lib/passwordRule.ts';
import { ApiError, sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { LineField } from '../../ui/fields.tsx';
import { useLeaveGuard } from '../../ui/leaveGuard.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { ProblemForm } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { Section } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';

const words = texts.settings.account;
const RULE = texts.password.rule(MIN_PASSWORD_CHARACTERS);

/** Who is here, and a new password. */
export function AccountForm() {
  const { api } = useStationContext();
  const toasts = useToasts();
  const user = useStationState(({ station }) => station?.user.name ?? '');
  const [before, setBefore] = useState('');
  const [next, setNext] = useState('');
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const changed = before !== '' || next !== '';
  useLeaveGuard(changed);

  async function save(): Promise<void> {
    setFailure('');
    const missing = {
      ...(before === '' ? { old_password: words.noOld } : {}),
      ...(next.length < MIN_PASSWORD_CHARACTERS ? { new_password: RULE } : {}),
    };
    setProblems(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      await api.changePassword(before, next);
      setBefore('');
      setNext('');
      toasts.say(words.saved);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : [];
      setProblems(Object.fromEntries(fields.map(({ path, message }) => [path.slice(1), message])));
      setFailure(fields.length === 0 ? sentenceOf(error, texts.failure.other) : '');
    } finally {
      setBusy(false);
    }
  }

  function submit(): void {
    if (!busy && changed) void save();
  }

  return (
    <Section title={words.title} lead={words.lead(user)}>
      <ProblemForm className={styles.form ?? ''} onSubmit={submit} problems={problems} aria-label={words.title}>
        {/* For password managers: whose password this is. */}
        <input className="visuallyHidden" type="text" autoComplete="username" value={user} readOnly hidden />
        <LineField
          name="old_password"
          label={words.old}
          type="password"
          autoComplete="current-password"
          value={before}
          onChange={(typed) => {
            setBefore(typed);
            setProblems(({ old_password: _old, ...rest }) => rest);
          }}
        />
        <PasswordField
          name="new_password"
          label={words.next}
          {...(problems['new_password'] === RULE ? {} : { help: RULE })}
          autoComplete="new-password"
          value={next}
          onChange={(typed) => {
            setNext(typed);
            setProblems(({ new_password: _new, ...rest }) => rest);
          }}
        />
        <footer className={styles.actions} data-waiting={changed || undefined}>
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
          <Button look="primary" type="submit" busy={busy} isDisabled={!changed}>
            {busy ? texts.settings.saving : words.submit}
          </Button>
        </footer>
      </ProblemForm>
    </Section>
  );
}
