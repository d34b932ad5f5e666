import type { TestMail } from '#shared/api/mail.ts';
import { StationError } from '../../errors.ts';
import type { Ids } from '../../ports.ts';
import { type MailAttempt, type MailSender, refusedOf } from './mailSender.ts';

/** Maximum number of simultaneous tests. Each test holds a connection until the server answers. */
const MAX_TESTS = 4;

const TEXT =
  'This is a test. Alerts of this station arrive like this e-mail.\n\nYou can choose the kinds of alerts under Connections, E-mail.\n';

/** Sends test e-mails to check the mail server. */
export function createTestMails({ sender, ids }: { sender: MailSender; ids: Ids }) {
  const tests = new Set<MailAttempt>();
  return {
    /**
     * Sends one test e-mail. Throws `conflict` if server, sender or recipients are not set, if e-mail is on hold, or if too many tests are
     * running.
     */
    async test(): Promise<TestMail> {
      if (!sender.isOn()) {
        throw new StationError('conflict', 'E-mail is off: set mail_host, mail_from and mail_to first.');
      }
      const held = sender.held();
      if (held !== undefined) throw new StationError('conflict', held);
      if (tests.size >= MAX_TESTS) {
        throw new StationError(
          'conflict',
          `${MAX_TESTS} tests are already waiting for the mail server. Wait until one of them is done.`,
        );
      }
      const id = `test-${Buffer.from(ids.bytes(9)).toString('base64url')}`;
      const attempt = sender.send({ id, subject: 'Pickstation: Test e-mail', text: TEXT });
      tests.add(attempt);
      const { answer, error, milliseconds } = await attempt.sent;
      tests.delete(attempt);
      if (answer === undefined) return { state: 'failed', answer: null, error, milliseconds };
      return { state: 'sent', answer: answer.words, error: refusedOf(answer), milliseconds };
    },
    stop(): void {
      for (const attempt of tests) attempt.giveUp();
    },
  };
}

export type TestMails = ReturnType<typeof createTestMails>;
