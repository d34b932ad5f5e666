import type { Logo } from '#shared/api/settings.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Copier } from '../../ports.ts';
import { type Audit, type By, pictureVersion } from '../base/index.ts';

type LogoCore = {
  repositories: Pick<Repositories, 'logo'>;
  reads: Pick<Repositories, 'logo'>;
  writer: Writer;
  audit: Audit;
  onStop(stop: () => void): void;
};

/** Keeps the shop's logo. Each change emits `settings.changed`. */
export function createLogo(core: LogoCore, { copier }: { copier: Pick<Copier, 'convertPicture'> }) {
  const { audit, reads, repositories, writer } = core;
  const stopped = new AbortController();
  core.onStop(() => stopped.abort());

  function changed(tx: Transaction, by: By): void {
    audit.record(tx, { action: 'settings.changed', by, subject: '', detail: { settings: ['logo'] } });
    tx.emit({ type: 'settings.changed' });
  }

  return {
    /** Converts the picture in a separate process. Throws `unsupported_media_type` if it cannot be converted. */
    async set(bytes: Buffer, by: By): Promise<Logo> {
      const { content } = await copier.convertPicture(bytes, stopped.signal);
      const version = pictureVersion(content);
      return writer.write((tx) => {
        if (repositories.logo.version() !== version) {
          repositories.logo.put(version, content);
          changed(tx, by);
        }
        return { shop_logo: addressOf(version) };
      });
    },
    /** Throws `not_found`. */
    get(): { version: string; bytes: Uint8Array } {
      const found = reads.logo.find();
      if (found === undefined) throw noLogo();
      return found;
    },
    /** Throws `not_found`. */
    remove: (by: By): Promise<void> =>
      writer.write((tx) => {
        if (repositories.logo.remove() === 0) throw noLogo();
        changed(tx, by);
      }),
  };
}

export type LogoService = ReturnType<typeof createLogo>;

/** Returns the address of the logo, which changes with the picture, or null for an empty version. */
export function logoAddress(version: string): string | null {
  return version === '' ? null : addressOf(version);
}

function addressOf(version: string): string {
  return `/api/settings/logo/?v=${version}`;
}

function noLogo(): StationError {
  return new StationError('not_found', 'The shop has no logo. PUT sets one.');
}
