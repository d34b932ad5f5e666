import { SECRET_SETTINGS } from '#shared/lib/secretSettings.ts';
import type { Repositories } from '../db/repositories.ts';
import type { ReceiverBook } from './callbacks/index.ts';
import type { SettingsService } from './settings/index.ts';

/** A shorter name or secret is found in every other word. */
const MIN_HIDDEN = 3;
const HIDDEN = '(hidden)';
/** What makes a path longer, before it or behind it. */
const PATH_CHARACTER = /[\w.~%/-]/;

/**
 * Reads the secrets and the names of people that this station has now, and returns what hides them in a text. `home`:
 * the home folder, whose path has the name of the user.
 */
export function createCleaner(
  core: {
    reads: Pick<Repositories, 'accounts'>;
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

  /** Secrets, addresses and names that a message may quote, longest first. */
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

/** Of the receiver's address what is the same in every request, from the host on; empty where that is a host alone. */
function addressOf(callbackUrl: string): string {
  const fixed = callbackUrl.split(/[{?]/, 1)[0] ?? '';
  const { host = '', pathname = '/' } = URL.parse(fixed) ?? {};
  return pathname === '/' ? '' : host + pathname;
}

/** A short path of the receiver, such as `/data`, is a part of many others: it is hidden where it stands by itself. */
function withoutPath(text: string, path: string): string {
  const [first = '', ...rest] = text.split(path);
  return rest.reduce((so, part) => {
    const isPart = PATH_CHARACTER.test(so.at(-1) ?? ' ') || PATH_CHARACTER.test(part.at(0) ?? ' ');
    return so + (isPart ? path : HIDDEN) + part;
  }, first);
}
