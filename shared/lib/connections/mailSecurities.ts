/** How the connection to the mail server is encrypted. No zod in this file, because the page imports it. */
export const MAIL_SECURITIES = ['starttls', 'tls', 'none'] as const;
