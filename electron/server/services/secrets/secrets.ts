import { randomBytes } from 'node:crypto';
import type { OpenedSecrets } from '#shared/api/secrets.ts';
import type { TablesOf } from '../../core.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import type { WrappedKey } from '../../db/repositories/secrets.ts';
import { dataKeyOf, keyIdOf, seal, unseal, type DataKey } from '../../db/sealed.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { DerivePassword } from '../../ports.ts';
import type { Audit, By } from '../base/index.ts';
import type { ReceiverBook } from '../callbacks/index.ts';
import type { SettingsService } from '../settings/index.ts';
import type { TurboLinks } from '../turbos/index.ts';

const SALT_BYTES = 16;
const PLACE = 'wrapped_key';
/** Name under which the passphrase itself is listed as unreadable, if it protects the data key of a restored backup or a copied folder. */
const PASSPHRASE = 'backup_passphrase';

/**
 * Lists the secrets that the station cannot decrypt, and manages the passphrase that protects the data key in backups. The station does not
 * store the passphrase, only the data key encrypted with it.
 */
export function createSecrets(parts: {
  repositories: TablesOf<'secrets'>;
  reads: TablesOf<'secrets'>;
  settings: Pick<SettingsService, 'closed' | 'reread'>;
  turboLinks: Pick<TurboLinks, 'closed' | 'reopen'>;
  receiverBook: Pick<ReceiverBook, 'closed' | 'reread'>;
  keyRing: KeyRing;
  writer: Pick<Writer, 'write'>;
  audit: Audit;
  derive: DerivePassword;
}) {
  const { repositories, reads, settings, turboLinks, receiverBook, keyRing, writer, audit, derive } = parts;

  async function wrapperOf(passphrase: string, salt: string): Promise<DataKey> {
    return dataKeyOf(Buffer.from(await derive(passphrase, Buffer.from(salt, 'base64'))));
  }

  /** Decrypts the data key. Resolves to undefined if the passphrase is wrong. */
  async function unwrap({ salt, sealed }: WrappedKey, passphrase: string): Promise<DataKey | undefined> {
    const bytes = unseal(await wrapperOf(passphrase, salt), PLACE, sealed);
    return bytes === undefined ? undefined : dataKeyOf(Buffer.from(bytes, 'base64'));
  }

  async function wrap(passphrase: string): Promise<(key: DataKey) => WrappedKey> {
    const salt = randomBytes(SALT_BYTES).toString('base64');
    const wrapper = await wrapperOf(passphrase, salt);
    return ({ id, bytes }) => ({ keyId: id, salt, sealed: seal(wrapper, PLACE, bytes.toString('base64')) });
  }

  /** Whether the wrapped key contains a data key other than the current one. */
  function isForeign(wrapped: WrappedKey | undefined): boolean {
    return wrapped !== undefined && wrapped.keyId !== keyRing.id();
  }

  /** Whether a stored secret can be decrypted only with this wrapped key. Call inside a transaction. */
  function isNeeded({ keyId }: WrappedKey): boolean {
    const isClosed = (place: string, stored: string): boolean => keyRing.open(place, stored) === undefined;
    return repositories.secrets
      .list()
      .some(({ place, stored }) => keyIdOf(stored) === keyId && isClosed(place, stored));
  }

  /** Like `closed`, but without the settings. */
  function othersClosed(): [name: string, why: string][] {
    const wrapped = reads.secrets.findWrapped();
    const ofBackups: [string, string][] =
      wrapped !== undefined && isForeign(wrapped) ? [[PASSPHRASE, keyRing.whyClosed(wrapped.sealed)]] : [];
    return [...turboLinks.closed(), ...receiverBook.closed(), ...ofBackups];
  }

  /** Lists everything with a secret that cannot be decrypted (settings, receivers, displays, the passphrase), each with the reason. */
  const closed = (): [name: string, why: string][] => [...settings.closed(), ...othersClosed()];

  return {
    /** Returns the names of secrets outside the settings that cannot be decrypted. */
    listOthersClosed: (): string[] => othersClosed().map(([name]) => name),
    /** Returns the problem with each secret that cannot be decrypted, by name, in sentences for the user. */
    troubles: (): ReadonlyMap<string, string> =>
      new Map(
        closed().map(([name, why]) => [name, `${why} Functions that need this secret wait until you enter it again.`]),
      ),
    /** Whether a passphrase is set, so that backups contain the current data key. */
    hasPassphrase: (): boolean => reads.secrets.findWrapped()?.keyId === keyRing.id() && keyRing.id() !== undefined,
    /**
     * Sets the passphrase that encrypts the data key in backups. If it is null, backups do not contain the data key. Throws `conflict`
     * while secrets from a restored backup or a copied folder still need their old passphrase.
     */
    async setPassphrase(passphrase: string | null, by: By): Promise<void> {
      const wrapped = passphrase === null ? undefined : await wrap(passphrase);
      await writer.write((tx) => {
        const former = repositories.secrets.findWrapped();
        if (former !== undefined && isForeign(former) && isNeeded(former)) {
          throw new StationError(
            'conflict',
            'Some secrets can be read only with the passphrase of the restored backup or copied folder, which this would remove. Enter that passphrase first, or enter these secrets again.',
          );
        }
        if (wrapped === undefined) repositories.secrets.removeWrapped();
        else repositories.secrets.saveWrapped(wrapped(keyRing.key()));
        audit.record(tx, { action: 'backup.passphraseSet', by, subject: '', detail: {} });
        tx.emit({ type: 'settings.changed' });
      });
    },
    /**
     * Decrypts the secrets of a restored backup or a copied folder, which use another data key, and encrypts them with the current one.
     * Throws `conflict` if no passphrase protects their key, and `invalid` for a wrong passphrase.
     */
    async open(passphrase: string, by: By): Promise<OpenedSecrets> {
      const stored = reads.secrets.findWrapped();
      if (stored === undefined) {
        throw new StationError('conflict', 'These data have no passphrase. Enter the secrets again in the settings.');
      }
      const key = await unwrap(stored, passphrase);
      if (key === undefined) {
        const message = 'This is not the passphrase of these data.';
        throw new StationError('invalid', message, [{ path: '/passphrase', message }]);
      }
      const wrapped = await wrap(passphrase);
      const opened = await writer.write((tx) => {
        let count = 0;
        repositories.secrets.changeEach((place, text) => {
          const plain = keyIdOf(text) === keyRing.id() ? undefined : unseal(key, place, text);
          if (plain === undefined) return text;
          count += 1;
          return keyRing.seal(place, plain);
        });
        repositories.secrets.saveWrapped(wrapped(keyRing.key()));
        audit.record(tx, { action: 'secrets.opened', by, subject: '', detail: {} });
        tx.emit({ type: 'settings.changed' });
        settings.reread(tx);
        receiverBook.reread(tx);
        return count;
      });
      turboLinks.reopen();
      return { opened, unreadable: closed().map(([name]) => name) };
    },
  };
}

export type Secrets = ReturnType<typeof createSecrets>;
