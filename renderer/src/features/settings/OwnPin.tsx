import { useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { LineField, useForm } from '../../kit/field/fields.tsx';
import { useLeaveGuard } from '../../kit/dialog/leaveGuard.tsx';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import { useSubmit } from '../../kit/field/useSubmit.ts';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import styles from './SettingsPage.module.css';

const words = texts.kiosk.pin;
const EMPTY = { pin: '', password: '' };

/** Form for a picker's kiosk PIN. Hidden for other roles, which sign in only with their password. */
export function OwnPin() {
  const isPicker = useStationState(({ station }) => station?.user.scope === 'picker');
  return isPicker ? <PinForm /> : null;
}

function PinForm() {
  const { api, toasts } = useServices();
  const { draft, set, field } = useForm(EMPTY);
  useLeaveGuard(draft.pin !== '' || draft.password !== '');
  /** Saves this PIN, or removes the current one if it is null. */
  const { problems, failure, busy, submit } = useSubmit<string | null>({
    draft,
    check: (pin) => ({
      ...(pin !== null && !/^\d{4,8}$/.test(pin) ? { pin: words.rule } : {}),
      ...(draft.password === '' ? { password: words.noPassword } : {}),
    }),
    async save(pin) {
      await api.setOwnColor({ body: { pin, password: draft.password } });
      set(EMPTY);
      toasts.show(pin === null ? words.ownRemoved : words.ownSaved);
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
        onSubmit={() => submit(draft.pin)}
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
          <Button busy={busy} onPress={() => submit(null)}>
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
