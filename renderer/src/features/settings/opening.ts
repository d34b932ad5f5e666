import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import { texts } from '../../ui/texts.ts';

/** What a person is asked before a change that lets others in, or himself out; undefined before any other. */
export type Question = { title: string; body: string; confirm: string };

const LOOPBACK = /^(?:127\.[\d.]+|\[::1\]|localhost)$/;

/** `saved`: how the station is now; `host`: where this page was opened. */
export function askBefore(
  change: SettingsChange,
  saved: SettingsAnswer,
  host = window.location.hostname,
): Question | undefined {
  const { opening } = texts.settings.network;
  const { exposure } = saved;
  const listen = change.listen ?? saved.listen;
  const tls = change.tls ?? saved.tls;
  const isFixed = exposure.host_argument !== '';
  const isGiven = exposure.certificate?.kind === 'given';
  const isEncrypted = isGiven || tls === 'generated';
  if (change.listen === 'network' && !isFixed) {
    const how = !isEncrypted ? opening.plain : exposure.certificate === null ? opening.later : opening.encrypted;
    return { title: opening.title, body: `${opening.who} ${how}`, confirm: opening.confirm };
  }
  if (change.listen === 'this_machine' && exposure.listens === 'network' && !isFixed && !LOOPBACK.test(host)) {
    return { title: opening.closeTitle, body: opening.close, confirm: opening.closeConfirm };
  }
  const isOpen = isFixed ? exposure.listens === 'network' : listen === 'network';
  if (change.tls === 'off' && isOpen && !isGiven) {
    return { title: opening.offTitle, body: opening.plain, confirm: opening.offConfirm };
  }
  return undefined;
}
