import { momentText } from '#shared/lib/text/locale.ts';
import type { Alert } from '#shared/api/alert.ts';
import { ALERT_STEPS, ALERT_TITLES } from '#shared/lib/alerts/alertWords.ts';

/** An alert to send by e-mail. `name` is the display name of the alert's subject, `at` the time of the event in epoch milliseconds. */
export type AlertNotice = Pick<Alert, 'id' | 'kind' | 'since' | 'problem'> & {
  event: 'raised' | 'ended';
  name: string;
  at: number;
};

/** Maximum number of alerts that an e-mail lists, so that people still read it. */
const MAX_LINES = 50;

/** Builds one e-mail about all notices. `link` is the station's address, or an empty string if unknown. Times are in `timeZone`. */
export function alertMail(
  notices: readonly AlertNotice[],
  link: string,
  timeZone: string,
): { subject: string; text: string } {
  const alerts = joined(notices);
  const [first] = alerts;
  const subject = first !== undefined && alerts.length === 1 ? titleOf(first) : countOf(alerts);
  const shown = alerts.slice(0, MAX_LINES).map((alert) => paragraphOf(alert, timeZone));
  const more = alerts.length - shown.length;
  const parts = [...shown, ...(more > 0 ? [`And ${more} more.`] : []), footOf(link)];
  return { subject: `Pickstation: ${subject}`, text: `${parts.join('\n\n')}\n` };
}

/** `endedAt` is undefined while the alert is open. */
type MailedAlert = AlertNotice & { endedAt: number | undefined };

/**
 * Combines the notices into one entry per alert with its latest state, even if the alert was both raised and resolved since the last
 * e-mail.
 */
function joined(notices: readonly AlertNotice[]): MailedAlert[] {
  const alerts = new Map<string, MailedAlert>();
  for (const notice of notices) {
    const before = alerts.get(notice.id);
    alerts.set(notice.id, {
      ...notice,
      problem: notice.problem ?? before?.problem ?? null,
      endedAt: notice.event === 'ended' ? notice.at : undefined,
    });
  }
  return [...alerts.values()];
}

function titleOf({ kind, name, endedAt }: MailedAlert): string {
  return line(`${endedAt === undefined ? '' : 'Resolved: '}${ALERT_TITLES[kind]}, ${name}`);
}

function countOf(alerts: readonly MailedAlert[]): string {
  const open = alerts.filter(({ endedAt }) => endedAt === undefined).length;
  const ended = alerts.length - open;
  if (ended === 0) return `${open} alerts`;
  return open === 0 ? `${ended} alerts resolved` : `${alerts.length} alerts, ${ended} of them resolved`;
}

function paragraphOf(alert: MailedAlert, timeZone: string): string {
  const { kind, since, endedAt, problem } = alert;
  const times = `Since ${momentText(Date.parse(since), timeZone)}${endedAt === undefined ? '' : `, resolved ${momentText(endedAt, timeZone)}`}.`;
  const rest = problem === null ? [] : [line(problem)];
  return [titleOf(alert), times, ...rest, ...(endedAt === undefined ? [ALERT_STEPS[kind]] : [])].join('\n');
}

function footOf(link: string): string {
  const where = link === '' ? '' : `Alerts: ${link}\n`;
  return `-- \n${where}Sent by Pickstation. Choose the alerts to mail under Connections, E-mail. Times are those of the shop.`;
}

/** Replaces line breaks and other control characters with spaces, because names and problems can contain them. */
function line(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
