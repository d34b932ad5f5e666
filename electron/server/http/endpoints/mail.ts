import * as api from '#shared/api/mail.ts';
import type { MailQueue, TestMails } from '../../services/mail/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('settings');

type Parts = { mail: Pick<MailQueue, 'status'>; testMails: Pick<TestMails, 'test'> };

export const mailEndpoints = ({ mail, testMails }: Parts): Endpoint[] => [
  define('getMail', 'change_settings', 'Get the state of the e-mails about alerts', {
    answer: api.mailStatusSchema,
    handle: () => mail.status(),
  }),
  define('testMail', 'change_settings', 'Send a test e-mail', {
    actsOutside: true,
    description:
      'Sends it once to the saved recipients, over the saved server, and answers what the server said. It does not count among the e-mails of an hour.',
    answer: api.testMailSchema,
    refusals: { 409: 'Server, sender or recipients are not set, or four test e-mails already wait for the server.' },
    handle: () => testMails.test(),
  }),
];
