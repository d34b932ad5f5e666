import * as api from '#shared/api/mail.ts';
import type { MailQueue, TestMails } from '../../services/mail/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('settings');

type Parts = { mail: Pick<MailQueue, 'status'>; testMails: Pick<TestMails, 'test'> };

export const mailEndpoints = ({ mail, testMails }: Parts): Endpoint[] => [
  define('getMail', 'change_settings', 'Get the status of e-mails about alerts', {
    answer: api.mailStatusSchema,
    handle: () => mail.status(),
  }),
  define('testMail', 'change_settings', 'Send a test e-mail', {
    actsOutside: true,
    description:
      'Sends the e-mail once to the saved recipients through the saved server, and returns the response of the server. It does not count towards the hourly limit of e-mails.',
    answer: api.testMailSchema,
    refusals: { 409: 'Server, sender or recipients are not set, or four test e-mails already wait for the server.' },
    handle: () => testMails.test(),
  }),
];
