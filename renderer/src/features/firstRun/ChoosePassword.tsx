import { useState } from 'react';
import { MIN_PASSWORD_CHARACTERS } from '#shared/lib/passwordRule.ts';
import { ApiError, sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { ProblemForm } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './WelcomePage.module.css';

const words = texts.welcome;

/** The password of the first admin. The step ends when the station says that it is set. */
export function ChoosePassword() {
  const { api } = useStationContext();
  const user = useStationState(({ station }) => station?.user.name ?? '');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);

  async function choose(): Promise<void> {
    setFailure('');
    const isShort = password.length < MIN_PASSWORD_CHARACTERS;
    setProblem(isShort ? words.tooShort(MIN_PASSWORD_CHARACTERS - password.length) : '');
    if (isShort) return;
    setBusy(true);
    try {
      await api.setUp(password);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : [];
      setProblem(fields.map(({ message }) => message).join(' '));
      setFailure(fields.length === 0 ? sentenceOf(error, texts.failure.other) : '');
      setBusy(false);
    }
  }

  function submit(): void {
    if (!busy) void choose();
  }

  return (
    <ProblemForm
      className={styles.form ?? ''}
      onSubmit={submit}
      problems={{ password: problem }}
      aria-label={words.passwordForm}
    >
      <input type="text" autoComplete="username" value={user} readOnly hidden />
      <PasswordField
        name="password"
        label={words.password(user)}
        help={texts.password.rule(MIN_PASSWORD_CHARACTERS)}
        value={password}
        onChange={(typed) => {
          setPassword(typed);
          setProblem('');
        }}
        autoComplete="new-password"
        autoFocus
      />
      <Button look="primary" type="submit" busy={busy}>
        {busy ? texts.settings.saving : words.next}
      </Button>
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
    </ProblemForm>
  );
}
