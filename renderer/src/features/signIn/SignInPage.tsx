import { ArrowLeft } from 'lucide-react';
import { GreetingDevice } from '../../shop/device/GreetingDevice.tsx';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import type { FieldProblems } from '../../kit/field/fieldProblems.ts';
import { LineField, PasswordField, useForm } from '../../kit/field/fields.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import { useSubmit } from '../../kit/field/useSubmit.ts';
import * as texts from '../../words/texts.ts';
import styles from './SignInPage.module.css';

const LED = { mode: 'steady', hex: '#0000ff', letter: 'B' } as const;

/** Asks for a user name and a password. `back` returns to the names of a kiosk. */
export function SignInPage({ back }: { back?: () => void }) {
  const { session } = useStationContext();
  const before = useStationState(({ station }) => station?.user.name);
  const expired = before !== undefined;
  const { draft, field } = useForm({ username: before ?? '', password: '' });
  const username = draft.username.trim();
  const { problems, failure, busy, submit } = useSubmit({
    draft,
    check: () => ({
      ...(username === '' ? { username: texts.signIn.noUsername } : {}),
      ...(draft.password === '' ? { password: texts.signIn.noPassword } : {}),
    }),
    save: () => session.signIn({ username, password: draft.password }),
    problemsOf(error): FieldProblems {
      const sentence = sentenceOf(error, texts.signIn.failed);
      const isWrong = error instanceof ApiError && error.code === 'unauthenticated';
      return isWrong ? { byField: { password: sentence }, rest: '' } : { byField: {}, rest: sentence };
    },
  });

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
            {...field('username')}
            label={texts.signIn.username}
            autoComplete="username"
            autoFocus={!expired}
          />
          <PasswordField
            {...field('password')}
            label={texts.signIn.password}
            autoComplete="current-password"
            autoFocus={expired}
          />
          <Button words={busy ? texts.signIn.busy : texts.signIn.submit} look="primary" type="submit" busy={busy} />
          <Failure>{failure}</Failure>
        </ProblemForm>
        {back !== undefined && (
          // While a sign-in is unanswered, another person must not sign in here.
          <Button look="quiet" icon={ArrowLeft} words={texts.kiosk.toNames} isDisabled={busy} onPress={back} />
        )}
      </div>
    </main>
  );
}
