import { plural } from './plural.ts';

/** Texts for the settings group *E-mail*. */
export const mail = {
  group: { title: 'E-mail', lead: 'Sends an e-mail when an alert is raised and when it is resolved.' },
  host: 'Mail server',
  hostHelp: 'The SMTP server of your provider or your shop. Empty: no e-mails.',
  port: 'Port',
  security: 'Encryption',
  securities: {
    starttls: 'STARTTLS, usually port 587',
    tls: 'TLS from the start, usually port 465',
    none: 'None, usually port 25',
  },
  plain: 'Without encryption, the password and the e-mails can be intercepted on the network.',
  username: 'User name',
  usernameHelp: 'Empty: no sign-in.',
  password: 'Password',
  from: 'Sender',
  fromHelp: 'Many servers accept only the account’s own address.',
  to: 'Recipients',
  toHelp: 'One address per line, at most 20.',
  kinds: 'Alerts to mail',
  ca: 'Certificates to trust',
  caHelp: 'PEM format, for a mail server with your own certificate.',
  test: 'Send a test e-mail',
  testing: 'Sending…',
  unsaved: 'The test uses the saved settings.',
  sent: (answer: string, milliseconds: number) => `Sent after ${milliseconds} ms. The mail server answered: ${answer}`,
  notSent: (why: string) => `Not sent. ${why}`,
  off: 'Off: set the mail server, the sender and a recipient.',
  never: 'No e-mail sent yet.',
  lastSent: (time: string) => `Last e-mail sent ${time}.`,
  waiting: (count: number, why: string) =>
    `${plural(count, 'alert is', 'alerts are')} waiting to be e-mailed. ${why}`.trim(),
} as const;
