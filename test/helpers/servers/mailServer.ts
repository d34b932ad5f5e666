import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type ReceivedMail = { from: string; to: string[]; user: string | undefined; secure: boolean; text: string };

/** Creates the error with which an SMTP server refuses. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

export type MailStage = 'connect' | 'auth' | 'from' | 'to' | 'data';

/** The server's reaction at a stage: an Error refuses, `hang` never answers, `close` closes the connection, and undefined accepts. */
export type MailReply = Error | 'hang' | 'close' | undefined;

export type TestMailServer = {
  port: number;
  mails: ReceivedMail[];
  /** Texts of mails that arrived completely but were not accepted, oldest first. */
  unanswered: string[];
  /** Returns the number of connections so far. */
  connections(): number;
  /** Waits until every connection is closed. */
  closed(): Promise<void>;
  /** Sets the reactions from now on. `what` is the address or the user name. */
  reply(reply: (stage: MailStage, what: string) => MailReply): void;
  stop(): Promise<void>;
};

/** Starts a real SMTP server that stores what it receives. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const unanswered: string[] = [];
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let connections = 0;
  let reply: (stage: MailStage, what: string) => MailReply = () => undefined;

  function answer(stage: MailStage, what: string, done: (error?: Error | null) => void): void {
    const said = reply(stage, what);
    if (said === 'hang') return;
    if (said === 'close') return sockets.forEach((socket) => socket.destroy());
    done(said ?? null);
  }

  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 0,
    disabledCommands: ['STARTTLS'],
    ...options,
    onConnect: (_session, done) => answer('connect', '', done),
    onAuth: ({ username = '' }, _session, done) => {
      answer('auth', username, (error) => (error ? done(error) : done(null, { user: username })));
    },
    onMailFrom: ({ address }, _session, done) => answer('from', address, done),
    onRcptTo: ({ address }, _session, done) => answer('to', address, done),
    onData(stream, { envelope, user, secure }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const text = Buffer.concat(chunks).toString('utf8');
        unanswered.push(text);
        answer('data', from, (error) => {
          if (error === null || error === undefined) {
            unanswered.pop();
            mails.push({
              from,
              to: envelope.rcptTo.map(({ address }) => address),
              user: user || undefined,
              secure,
              text,
            });
          }
          done(error);
        });
      });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) for (const tell of waiting.splice(0)) tell();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    unanswered,
    connections: () => connections,
    closed: () =>
      new Promise((resolve) => {
        if (sockets.size === 0) resolve();
        else waiting.push(resolve);
      }),
    reply: (next) => void (reply = next),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
