/** `ca`: PEM certificates to trust in addition to the well-known ones. Empty `username`: no sign-in. */
export type MailServer = {
  host: string;
  port: number;
  security: 'starttls' | 'tls' | 'none';
  username: string;
  password: string;
  ca: string | undefined;
};

/** `id`: the Message-ID, the same for each attempt. `at`: epoch milliseconds. */
export type Mail = { id: string; from: string; to: readonly string[]; subject: string; text: string; at: number };

/** `words`: the server's last answer. `refused`: refused recipients, but never all of them. */
export type MailAnswer = { words: string; refused: readonly string[] };

/** Sends an e-mail. `answer` rejects if the server does not accept the e-mail, and after `giveUp`. */
export type Mailer = {
  send(server: MailServer, mail: Mail): { answer: Promise<MailAnswer>; giveUp(): void };
};
