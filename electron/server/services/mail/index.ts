import type { CoreOf } from '../../core.ts';
import type { Mailer } from '../../ports.ts';
import { createMailQueue } from './mailQueue.ts';
import { createMailSender } from './mailSender.ts';
import { createTestMails } from './testMail.ts';

export type { MailQueue } from './mailQueue.ts';
export type { TestMails } from './testMail.ts';

/** Creates the services that send alerts by e-mail. */
export function createMailGroup(core: CoreOf<'mail'>, { mailer }: { mailer: Mailer }) {
  const sender = createMailSender({ ...core, mailer });
  const mail = createMailQueue({ ...core, sender });
  const testMails = createTestMails({ ...core, sender });
  core.onStart(() => {
    core.onStop(() => testMails.stop());
    core.onStop(() => mail.stop());
    mail.start();
  });
  return { mail, testMails };
}
