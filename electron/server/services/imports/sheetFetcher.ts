import { describeSheetError } from '../../domain/folders/describeSheetError.ts';
import { StationError } from '../../errors.ts';
import type { Clock, HttpClient } from '../../ports.ts';
import { requestSheet } from './sheetRequest.ts';

/** Downloads published sheets for imports. */
export type SheetFetcher = {
  /** Downloads a sheet. Throws `invalid` with the reason if this fails. */
  read(url: string): Promise<{ bytes: Uint8Array; name: string }>;
  stop(): void;
};

export function createSheetFetcher(parts: { http: HttpClient; clock: Clock }): SheetFetcher {
  const pending = new Set<{ giveUp(): void }>();
  return {
    async read(url) {
      const request = requestSheet(parts, url, undefined);
      pending.add(request);
      try {
        return { bytes: (await request.answer).body, name: new URL(url).host };
      } catch (error) {
        const message = describeSheetError(error);
        throw new StationError('invalid', message, [{ path: '/url', message }]);
      } finally {
        pending.delete(request);
      }
    },
    stop() {
      for (const { giveUp } of pending) giveUp();
    },
  };
}
