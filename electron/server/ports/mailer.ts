/**
 * A mail server. `username` is empty if it requires no sign-in. `ca` contains PEM certificates to trust in addition to the standard root certificates.
 */
export type MailServer = {
  host: string;
  port: number;
  security: 'starttls' | 'tls' | 'none';
  username: string;
  password: string;
  ca: string | undefined;
};

/** An e-mail. `id` is the Message-ID, which is the same for each attempt. `at` is in epoch milliseconds. */
export type Mail = { id: string; from: string; to: readonly string[]; subject: string; text: string; at: number };

/** `words` is the server's last answer. `refused` lists refused recipients, but never all of them. */
export type MailAnswer = { words: string; refused: readonly string[] };

/** Sends an e-mail. `answer` rejects if the server does not accept the e-mail, and after `giveUp`. */
export type Mailer = {
  send(server: MailServer, mail: Mail): { answer: Promise<MailAnswer>; giveUp(): void };
};
