import { rootCertificates } from 'node:tls';
import type SmtpConnection from 'nodemailer/lib/smtp-connection';
import type { Mail, Mailer, MailServer } from '../ports.ts';

/** Time limit in real time, so that a socket without a peer closes. The mail sender also has a time limit, on the clock of the station. */
const SOCKET_MS = 60_000;

/** Creates a client that sends e-mails over SMTP, each over a separate connection. Loads the library with the first e-mail. */
export function createSmtpClient(): Mailer {
  return {
    send(server, mail) {
      let connection: SmtpConnection | undefined;
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Mailer['send']>['answer']>>();
      let isOver = false;
      async function begin(): Promise<void> {
        const [{ default: Connection }, message] = await Promise.all([
          import('nodemailer/lib/smtp-connection'),
          messageOf(mail),
        ]);
        if (isOver) return;
        connection = new Connection(optionsOf(server));
        connection.on('error', reject);
        await step((done) => connection?.connect(done));
        const { username: user, password: pass } = server;
        if (user !== '') await step((done) => connection?.login({ user, pass }, done));
        const { from, to } = mail;
        connection.send({ from, to: [...to] }, message, (error, info) => {
          if (error !== null) return reject(error);
          resolve({ words: info?.response ?? '', refused: (info?.rejected ?? []).map(String) });
          connection?.quit();
        });
      }
      begin().catch(reject);
      // Close the connection without QUIT, because the server did not answer.
      promise.catch(() => {
        isOver = true;
        connection?.close();
      });
      return { answer: promise, giveUp: () => reject(new Error('The attempt was abandoned.')) };
    },
  };
}

function step(run: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    run((error) => (error === undefined || error === null ? resolve() : reject(error)));
  });
}

function optionsOf({ host, port, security, ca }: MailServer) {
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: SOCKET_MS,
    greetingTimeout: SOCKET_MS,
    socketTimeout: SOCKET_MS,
    dnsTimeout: SOCKET_MS,
    allowInternalNetworkInterfaces: true,
    ...(ca === undefined ? {} : { tls: { ca: [...rootCertificates, ca] } }),
  };
}

async function messageOf({ id, from, to, subject, text, at }: Mail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({
    from: { name: 'Pickstation', address: from },
    to: [...to],
    subject,
    text,
    date: new Date(at),
    messageId: id,
    // Prevents automatic out-of-office answers.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
