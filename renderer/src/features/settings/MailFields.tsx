import type { TestMail } from '#shared/api/mail.ts';
import { MAIL_SECURITIES } from '#shared/lib/connections/mailSecurities.ts';
import { ALERT_KINDS } from '#shared/lib/alerts/alertSubjects.ts';
import { useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { type Act, useAct } from '../../useAct.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { fieldsOf, LineField, LinesField, SwitchField } from '../../kit/field/fields.tsx';
import { agoWords } from '../../words/moments.ts';
import { WholeNumberField } from '../../kit/field/NumberLine.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { secretsOf } from './draft.ts';
import { SecretField } from '../../kit/field/SecretField.tsx';
import type { GroupFieldsProps } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';

const words = texts.settings.mail;
const SECURITIES = MAIL_SECURITIES.map((id) => ({ id, text: words.securities[id] }));

/** Fields for the mail server, and for the recipients and kinds of alert e-mails. */
export function MailFields({ draft, saved, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const setOf = secretsOf(saved);
  const kinds = draft.mail_kinds;
  const isPlain = draft.mail_security === 'none' && draft.mail_host !== '';
  return (
    <>
      <LineField
        {...field('mail_host')}
        label={words.host}
        help={words.hostHelp}
        autoComplete="off"
        placeholder="smtp.shop.example"
      />
      <div className={styles.pair}>
        <ChoiceField {...field('mail_security')} label={words.security} choices={SECURITIES} />
        <WholeNumberField {...field('mail_port')} label={words.port} />
      </div>
      <p role="status" className={`${parts.care} ${styles.warning}`}>
        {isPlain ? words.plain : ''}
      </p>
      <LineField {...field('mail_username')} label={words.username} help={words.usernameHelp} autoComplete="off" />
      <SecretField {...field('mail_password')} label={words.password} {...setOf('mail_password')} />
      <LineField
        {...field('mail_from')}
        label={words.from}
        help={words.fromHelp}
        autoComplete="off"
        placeholder="lights@shop.example"
      />
      <LinesField
        {...field('mail_to')}
        label={words.to}
        help={words.toHelp}
        rows={2}
        placeholder="office@shop.example"
      />
      <fieldset className={styles.choices}>
        <legend>{words.kinds}</legend>
        {ALERT_KINDS.map((kind) => (
          <SwitchField
            key={kind}
            label={texts.alerts.kinds[kind]}
            value={kinds.includes(kind)}
            onChange={(on) =>
              edit({ mail_kinds: ALERT_KINDS.filter((each) => (each === kind ? on : kinds.includes(each))) })
            }
          />
        ))}
      </fieldset>
      <LinesField
        {...field('mail_ca')}
        label={words.ca}
        help={words.caHelp}
        rows={3}
        placeholder="-----BEGIN CERTIFICATE-----"
      />
      <MailState />
    </>
  );
}

/** Shows sent and waiting e-mails, and a test of the saved settings. */
function MailState() {
  const { api } = useStationContext();
  const { value: status, reload } = useStationQuery(['mail'], () => api.getMail());
  const test = useAct(() => api.testMail().finally(reload));
  const { busy } = test;
  const lastSent = status?.last_sent ?? null;
  const ago = useTimed((now) => (lastSent === null ? '' : agoWords(Date.parse(lastSent), now)));

  if (status === undefined) return null;
  if (!status.on) return <p className={parts.quiet}>{words.off}</p>;
  const past = lastSent === null ? words.never : words.lastSent(ago);
  return (
    <div className={parts.stack1}>
      <p className={status.waiting > 0 ? parts.care : parts.quiet}>
        {status.waiting > 0 ? words.waiting(status.waiting, status.last_error ?? '') : past}
      </p>
      <div className={`${parts.rowMiddle} ${styles.test}`}>
        <Button words={busy ? words.testing : words.test} busy={busy} onPress={() => test.run()} />
        <p role="status">{saidOf(test)}</p>
      </div>
    </div>
  );
}

function saidOf(test: Act<void, TestMail>): string {
  if (test.status === 'failed') return test.failure;
  if (test.status !== 'done') return words.unsaved;
  const { state, answer, error, milliseconds } = test.value;
  if (state === 'failed') return words.notSent(error ?? '');
  return `${words.sent(answer ?? '', milliseconds)} ${error ?? ''}`.trim();
}
