import { z } from 'zod';
import { ALERT_KINDS, type AlertKind } from '../lib/alerts/alertSubjects.ts';
import { MAIL_SECURITIES } from '../lib/connections/mailSecurities.ts';
import { named, oneOf, textOrNull, textUpTo, timestampOrNull, whole } from './fields.ts';

// Excludes spaces, brackets and line breaks, which could inject a header or an SMTP command.
const ADDRESS = /^[^\s<>()[\]\\,;:@"\p{Cc}]+@[^\s<>()[\]\\,;:@"\p{Cc}]+$/u;
const address = textUpTo(254).refine(
  (text) => ADDRESS.test(text),
  'Write an e-mail address, such as office@shop.example.',
);
const addressOrNone = textUpTo(254).refine(
  (text) => text === '' || ADDRESS.test(text),
  'Write an e-mail address, such as lights@shop.example.',
);

/** Settings of e-mails about alerts. `shared/api/settings.ts` includes them. */
export const mailSettings = {
  mail_host: textUpTo(253)
    .regex(/^[^\s/@]*$/, 'Write only the name or address of the mail server, such as smtp.shop.example.')
    .describe('Mail server (SMTP). Empty for no e-mails.'),
  mail_port: whole(1, 65_535).describe('Usually 587 with starttls, 465 with tls, 25 with none.'),
  mail_security: oneOf(MAIL_SECURITIES).describe(
    'starttls: encrypts after connecting; nothing is sent without encryption. tls: encrypts from the start. none: plain text, including the password.',
  ),
  mail_username: textUpTo(1_000).describe(
    'User name for the mail server, used with mail_password. Empty for no sign-in.',
  ),
  mail_from: addressOrNone.describe('Sender address. Empty for no e-mails.'),
  mail_to: z.array(address).max(20).describe('Recipients. An empty list sends no e-mails.'),
  mail_kinds: z.array(oneOf(ALERT_KINDS)).max(ALERT_KINDS.length).describe('Kinds of alerts that cause an e-mail.'),
  mail_ca: textUpTo(100_000).describe(
    'PEM certificates to trust for the mail server, in addition to the standard root certificates.',
  ),
};

const NOT_MAILED: readonly AlertKind[] = ['signal_weak'];

export const DEFAULT_MAIL_SETTINGS = {
  mail_host: '',
  mail_port: 587,
  mail_security: 'starttls' as (typeof MAIL_SECURITIES)[number],
  mail_username: '',
  mail_from: '',
  mail_to: [] as string[],
  mail_kinds: ALERT_KINDS.filter((kind) => !NOT_MAILED.includes(kind)),
  mail_ca: '',
};

export const secretMailSettings = {
  mail_password: textUpTo(1_000).nullable().describe('Write-only; null clears it.'),
};

export const mailStatusSchema = named('MailStatus', {
  on: z.boolean().describe('Whether server, sender and recipients are set.'),
  waiting: z.int().describe('Number of raised or resolved alerts that have not been e-mailed yet.'),
  last_sent: timestampOrNull.describe('When the mail server accepted the last e-mail.'),
  last_error: textOrNull.describe('Why the last attempt failed, as a sentence; null if it succeeded.'),
});
export type MailStatus = z.infer<typeof mailStatusSchema>;

/** Result of a test e-mail, in the answer to the request. */
export const testMailSchema = named('TestMail', {
  state: oneOf(['sent', 'failed']),
  answer: textOrNull.describe('Last reply of the mail server; null if there was none.'),
  error: textOrNull.describe('Why the e-mail failed, or which recipients were refused, as a sentence; otherwise null.'),
  milliseconds: z.int().describe('Time until the answer or the failure.'),
});
export type TestMail = z.infer<typeof testMailSchema>;
