import type { Clock, Timer } from '../ports.ts';

/** If a turbo is still received this many milliseconds after another turbo with the same number was switched on, there are two turbos. */
const SURELY_TWO_MS = 10_000;
/** A refused turbo counts as gone after this much time without a hello. Refused turbos send a hello every 30 s. */
const RIVAL_MS = 95_000;

/** A turbo that claims a serial number. `bootId` identifies one run of the turbo, which began at `bootedAt` in epoch milliseconds. */
export type Claim = { bootId: number; bootedAt: number; port: string };
/** The turbo that is online under this number on another connection, and when it was last received. */
export type Holder = { heardAt: number; port: string };

/** The turbo that has a serial number. `former` is the boot id of the turbo that had the number before. */
type Bearer = { bootId: number; former: number | undefined };

/**
 * Distinguishes a returning turbo from a second one with the same serial number. The first turbo keeps working and the second is refused;
 * otherwise they would keep disconnecting each other.
 */
export function createSerialNumbers(clock: Clock, changed: (serial: string) => void) {
  const bearers = new Map<string, Bearer>();
  const refused = new Map<string, { port: string; timer: Timer }>();

  function refuse(serial: string, port: string): void {
    refused.get(serial)?.timer.cancel();
    const timer = clock.setTimer(RIVAL_MS, () => {
      refused.delete(serial);
      changed(serial);
    });
    refused.set(serial, { port, timer });
  }

  return {
    /** Claims a serial number. Returns false if it belongs to another turbo that is online. */
    claim(serial: string, { bootId, bootedAt, port }: Claim, holder: Holder | undefined): boolean {
      const bearer = bearers.get(serial);
      if (bearer === undefined || holder === undefined || bearer.bootId === bootId) {
        const former = bearer?.bootId === bootId ? bearer.former : bearer?.bootId;
        bearers.set(serial, { bootId, former });
        return true;
      }
      if (bearer.former === bootId) {
        // The previous turbo is back without having restarted, so the one in between was a different turbo.
        bearers.set(serial, { bootId, former: undefined });
        refuse(serial, holder.port);
        return true;
      }
      // If the holder fell silent when this turbo started, both are the same turbo before and after a restart. This does not apply if
      // a rival is known, which may restart whenever its port is opened.
      if (!refused.has(serial) && holder.heardAt < bootedAt + SURELY_TWO_MS) {
        bearers.set(serial, { bootId, former: bearer.bootId });
        return true;
      }
      refuse(serial, port);
      return false;
    },
    /** Returns a message about the problem with a serial number, or undefined if there is none. */
    problemOf(serial: string): string | undefined {
      const rival = refused.get(serial);
      if (rival === undefined) return undefined;
      return `Another turbo with the serial number ${serial} is at ${rival.port} and was refused. Give one of them another number.`;
    },
    forget(serial: string): void {
      bearers.delete(serial);
      refused.get(serial)?.timer.cancel();
      refused.delete(serial);
    },
    stop(): void {
      for (const { timer } of refused.values()) timer.cancel();
      refused.clear();
    },
  };
}
