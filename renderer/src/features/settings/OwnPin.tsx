import { useState } from 'react';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { LineField } from '../../kit/field/fields.tsx';
import { useLeaveGuard } from '../../kit/dialog/leaveGuard.tsx';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import styles from './SettingsPage.module.css';

const words = texts.kiosk.pin;
const EMPTY = { pin: '', password: '' };

/** A picker's PIN for kiosks. Hidden for other roles, who sign in only with the password. */
export function OwnPin() {
  const isPicker = useStationState(({ station }) => station?.user.scope === 'picker');
  return isPicker ? <PinForm /> : null;
}

function PinForm() {
  const { api, toasts } = useServices();
  const [draft, setDraft] = useState(EMPTY);
  const [problems, setProblems] = useState<Partial<typeof EMPTY>>({});
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  useLeaveGuard(draft.pin !== '' || draft.password !== '');

  /** `pin`: null removes it. */
  async function save(pin: string | null): Promise<void> {
    if (busy) return;
    setFailure('');
    const missing = {
      ...(pin !== null && !/^\d{4,8}$/.test(pin) ? { pin: words.rule } : {}),
      ...(draft.password === '' ? { password: words.noPassword } : {}),
    };
    setProblems(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      await api.setOwnPin(pin, draft.password);
      setDraft(EMPTY);
      toasts.show(pin === null ? words.ownRemoved : words.ownSaved);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : [];
      setProblems(Object.fromEntries(fields.map(({ path, message }) => [path.slice(1), message])));
      setFailure(fields.length === 0 ? sentenceOf(error) : '');
    } finally {
      setBusy(false);
    }
  }

  const field = (name: keyof typeof EMPTY) => ({
    name,
    value: draft[name],
    onChange(typed: string) {
      setDraft((before) => ({ ...before, [name]: typed }));
      setProblems({});
    },
  });
  return (
    <>
      <header className={styles.subject}>
        <h3>{words.own}</h3>
        <p className={parts.quiet}>{words.ownLead}</p>
      </header>
      <ProblemForm
        className={parts.column5 ?? ''}
        onSubmit={() => void save(draft.pin)}
        problems={problems}
        aria-label={words.own}
      >
        <LineField
          {...field('pin')}
          label={words.pin}
          help={words.rule}
          type="password"
          inputMode="numeric"
          autoComplete="off"
        />
        <LineField {...field('password')} label={words.password} type="password" autoComplete="current-password" />
        <footer className={`${parts.rowMiddle} ${styles.actions}`}>
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
          <Button busy={busy} onPress={() => void save(null)}>
            {words.ownRemove}
          </Button>
          <Button look="primary" type="submit" busy={busy}>
            {busy ? texts.settings.saving : words.ownSave}
          </Button>
        </footer>
      </ProblemForm>
    </>
  );
}
