import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { GreetingDevice } from '../../shop/device/GreetingDevice.tsx';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { LineField, PasswordField } from '../../kit/field/fields.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import * as texts from '../../words/texts.ts';
import styles from './SignInPage.module.css';

const LED = { mode: 'steady', hex: '#0000ff', letter: 'B' } as const;

type Problems = { username?: string; password?: string };

/** Asks for user name and password. `back`: returns to the names of a kiosk. */
export function SignInPage({ back }: { back?: () => void }) {
  const { session } = useStationContext();
  const before = useStationState(({ station }) => station?.user.name);
  const expired = before !== undefined;
  const [username, setUsername] = useState(before ?? '');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState('');

  async function signIn(): Promise<void> {
    setFailure('');
    const missing = {
      ...(username.trim() === '' ? { username: texts.signIn.noUsername } : {}),
      ...(password === '' ? { password: texts.signIn.noPassword } : {}),
    };
    setProblems(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      await session.signIn(username.trim(), password);
    } catch (error) {
      const sentence = sentenceOf(error, texts.signIn.failed);
      if (error instanceof ApiError && error.code === 'unauthenticated') setProblems({ password: sentence });
      else setFailure(sentence);
    } finally {
      setBusy(false);
    }
  }

  function submit(): void {
    if (!busy) void signIn();
  }

  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <GreetingDevice screen={texts.signIn.screen} led={LED} />
        <header className={styles.head}>
          <h1>{texts.signIn.title}</h1>
          <p>{expired ? texts.signIn.expired : texts.signIn.lead}</p>
        </header>
        <ProblemForm className={parts.stack4 ?? ''} onSubmit={submit} problems={problems}>
          <LineField
            name="username"
            label={texts.signIn.username}
            value={username}
            onChange={(typed) => {
              setUsername(typed);
              setProblems({});
            }}
            autoComplete="username"
            autoFocus={!expired}
          />
          <PasswordField
            name="password"
            label={texts.signIn.password}
            value={password}
            onChange={(typed) => {
              setPassword(typed);
              setProblems({});
            }}
            autoComplete="current-password"
            autoFocus={expired}
          />
          <Button words={busy ? texts.signIn.busy : texts.signIn.submit} look="primary" type="submit" busy={busy} />
          <Failure>{failure}</Failure>
        </ProblemForm>
        {back !== undefined && <Button look="quiet" icon={ArrowLeft} words={texts.kiosk.toNames} onPress={back} />}
      </div>
    </main>
  );
}
