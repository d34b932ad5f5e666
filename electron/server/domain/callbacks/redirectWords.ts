/** Hosts to which web apps of Google Apps Script redirect, each with the cause and the remedy. */
const OF_APPS_SCRIPT = new Map(
  Object.entries<string>({
    'script.googleusercontent.com':
      'The Apps Script has run, but its answer is a redirect, so the callback is repeated. End doPost with return HtmlService.createHtmlOutput("ok") instead of ContentService.',
    'accounts.google.com':
      'The Apps Script has not run, because it asks for a sign-in. Deploy it as a web app to which anyone has access.',
  }),
);

/** Statuses whose address is a page to read after the request was carried out. */
const AFTER_THE_WORK: ReadonlySet<number> = new Set([302, 303]);

/** Returns what to do about a redirect, as sentences after that of the status, or '' if the answer is not a redirect. */
export function redirectWords(status: number, location: string | undefined): string {
  if (status < 300 || status >= 400 || location === undefined) return '';
  const host = URL.canParse(location) ? new URL(location).hostname : '';
  const ofScript = OF_APPS_SCRIPT.get(host);
  if (ofScript !== undefined) return ` ${ofScript}`;
  if (!AFTER_THE_WORK.has(status)) return ' Redirects are not followed: enter the final address.';
  return ' Redirects are not followed: enter the final address. If the receiver redirects after its work, make it answer 2xx instead. Otherwise, the callback is repeated.';
}
