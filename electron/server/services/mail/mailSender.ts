import type { Clock, Mailer, MailAnswer, MailServer } from '../../ports.ts';
import { describeMailError } from '../../domain/alerts/describeMailError.ts';
import type { SettingsService } from '../settings/index.ts';

/** Time limit for one attempt, in milliseconds. */
const LIMIT_MS = 60_000;

/** Result of an attempt. `error` tells why no recipient gets the e-mail, or is null if the server accepted it. */
export type MailResult = { answer: MailAnswer | undefined; error: string | null; milliseconds: number };

/** E-mail that is being sent. `sent` never rejects. */
export type MailAttempt = { sent: Promise<MailResult>; giveUp(): void };

/** Sends an e-mail once, with the server, sender and recipients from the settings. */
export function createMailSender({
  settings,
  mailer,
  clock,
}: {
  settings: SettingsService;
  mailer: Mailer;
  clock: Clock;
}) {
  function serverOf(): MailServer {
    const { mail_host, mail_port, mail_security, mail_username, mail_password, mail_ca } = settings.current();
    return {
      host: mail_host,
      port: mail_port,
      security: mail_security,
      username: mail_username,
      password: mail_password ?? '',
      ca: mail_ca === '' ? undefined : mail_ca,
    };
  }

  return {
    isOn(): boolean {
      const { mail_host, mail_from, mail_to } = settings.current();
      return mail_host !== '' && mail_from !== '' && mail_to.length > 0;
    },
    /** Returns why no e-mail can be sent now, or undefined if e-mails can be sent. */
    held: (): string | undefined => settings.held('mail'),
    send({ id, subject, text }: { id: string; subject: string; text: string }): MailAttempt {
      const { mail_from: from, mail_to: to, mail_password: password } = settings.current();
      const startedAt = clock.monotonic();
      const domain = from.slice(from.lastIndexOf('@') + 1);
      const sending = mailer.send(serverOf(), { id: `<${id}@${domain}>`, from, to, subject, text, at: clock.now() });
      let timedOut = false;
      const limit = clock.setTimer(LIMIT_MS, () => {
        timedOut = true;
        sending.giveUp();
      });
      const took = (): number => Math.round(clock.monotonic() - startedAt);
      const sent = sending.answer
        .then(
          (answer): MailResult => ({ answer, error: null, milliseconds: took() }),
          (error: unknown): MailResult => {
            const late = Object.assign(new Error(`No answer within ${LIMIT_MS / 1_000} s.`), { code: 'ETIMEDOUT' });
            const why = describeMailError(timedOut ? late : error, password);
            return { answer: undefined, error: why, milliseconds: took() };
          },
        )
        .finally(() => limit.cancel());
      return { sent, giveUp: () => sending.giveUp() };
    },
  };
}

export type MailSender = ReturnType<typeof createMailSender>;

/** Returns a sentence that lists the recipients that the server refused, or null if it refused none. */
export function refusedOf({ refused }: MailAnswer): string | null {
  return refused.length === 0 ? null : `The mail server refused ${refused.join(', ')}. The others get the e-mail.`;
}
