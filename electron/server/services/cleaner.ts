import { SECRET_SETTINGS } from '#shared/lib/access/secretSettings.ts';
import type { TablesOf } from '../core.ts';
import type { ReceiverBook } from './callbacks/index.ts';
import type { SettingsService } from './settings/index.ts';

/** Minimum length of a name or secret to hide, because shorter texts occur in ordinary words. */
const MIN_HIDDEN = 3;
const HIDDEN = '(hidden)';
/** Characters that extend a path on either side. */
const PATH_CHARACTER = /[\w.~%/-]/;

/**
 * Reads the current secrets and people's names, and returns a function that hides them in a text. `home` is the home folder, whose path
 * contains the user's name.
 */
export function createCleaner(
  core: {
    reads: TablesOf<'cleaner'>;
    settings: SettingsService;
  },
  needs: {
    receiverBook: Pick<ReceiverBook, 'list'>;
    home: string;
  },
): () => (text: string) => string {
  const { reads, settings } = core;
  const { receiverBook, home } = needs;

  const urls = (): string[] => [settings.current().callback_url, ...receiverBook.list().map(({ url }) => url)];

  /** Returns the secrets, addresses and names that a message may contain, longest first. */
  function hidden(): string[] {
    const current = settings.current();
    const secrets = SECRET_SETTINGS.map((name) => current[name] ?? '');
    const callback = [
      ...urls().flatMap((url) => [url, addressOf(url), URL.parse(url)?.search ?? '']),
      ...receiverBook
        .list()
        .flatMap(({ secrets: { api_key, signing_secret } }) => [api_key ?? '', signing_secret ?? '']),
      current.callback_username,
      ...Object.values(current.callback_headers),
      current.orders_sheet_url,
    ];
    const names = [
      ...reads.accounts.listUsers().map((user) => user.username),
      ...reads.accounts.listApiUsers().map((user) => user.name),
    ];
    return [...secrets, ...callback, ...names]
      .filter((text) => text.length >= MIN_HIDDEN)
      .toSorted((one, other) => other.length - one.length);
  }

  return () => {
    const secrets = hidden();
    const paths = urls()
      .map((url) => URL.parse(url)?.pathname ?? '')
      .filter((path) => path.length >= MIN_HIDDEN);
    return (text) => {
      const homeless = home.length > 1 ? text.replaceAll(home, '~') : text;
      const named = secrets.reduce((so, secret) => so.replaceAll(secret, HIDDEN), homeless);
      return paths.reduce(withoutPath, named);
    };
  };
}

/**
 * Returns the constant part of the receiver's address, from the host to the first placeholder or query, or an empty string if that is only
 * a host.
 */
function addressOf(callbackUrl: string): string {
  const fixed = callbackUrl.split(/[{?]/, 1)[0] ?? '';
  const { host = '', pathname = '/' } = URL.parse(fixed) ?? {};
  return pathname === '/' ? '' : host + pathname;
}

/** Hides a short path of the receiver, such as `/data`, but only where it is not part of a longer path. */
function withoutPath(text: string, path: string): string {
  const [first = '', ...rest] = text.split(path);
  return rest.reduce((so, part) => {
    const isPart = PATH_CHARACTER.test(so.at(-1) ?? ' ') || PATH_CHARACTER.test(part.at(0) ?? ' ');
    return so + (isPart ? path : HIDDEN) + part;
  }, first);
}
