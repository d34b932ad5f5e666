import type { Clock, Timer } from '../ports.ts';

/** A turbo that was heard so long after another one with its number was switched on is a turbo beside that one. */
const SURELY_TWO_MS = 10_000;
/** A turbo that was refused asks again after 30 s; one that has not asked for so long is gone. */
const RIVAL_MS = 95_000;

/** Somebody who says a serial number: `bootId` names one life of his, which began at `bootedAt`, epoch milliseconds. */
export type Claim = { bootId: number; bootedAt: number; port: string };
/** Who is online under that number over another link, and when he was heard last. */
export type Holder = { heardAt: number; port: string };

/** `former`: who bore the number before. */
type Bearer = { bootId: number; former: number | undefined };

/**
 * Tells a turbo that comes back from a second one with the same serial number. Of two, the one that was there first keeps
 * working, and the other is refused; else they would throw each other out for ever.
 */
export type SerialNumbers = {
  /** False: it belongs to another turbo, which is alive. */
  claim(serial: string, claim: Claim, holder: Holder | undefined): boolean;
  /** What is wrong with a number, in words for people. */
  problemOf(serial: string): string | undefined;
  forget(serial: string): void;
  stop(): void;
};

export function createSerialNumbers(clock: Clock, changed: (serial: string) => void): SerialNumbers {
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
    claim(serial, { bootId, bootedAt, port }, holder) {
      const bearer = bearers.get(serial);
      if (bearer === undefined || holder === undefined || bearer.bootId === bootId) {
        const former = bearer?.bootId === bootId ? bearer.former : bearer?.bootId;
        bearers.set(serial, { bootId, former });
        return true;
      }
      if (bearer.former === bootId) {
        // It did not begin anew, so whoever came between was another one.
        bearers.set(serial, { bootId, former: undefined });
        refuse(serial, holder.port);
        return true;
      }
      // Where there are two it may be the other one, which begins anew each time that its port is opened.
      if (!refused.has(serial) && holder.heardAt < bootedAt + SURELY_TWO_MS) {
        bearers.set(serial, { bootId, former: bearer.bootId });
        return true;
      }
      refuse(serial, port);
      return false;
    },
    problemOf(serial) {
      const rival = refused.get(serial);
      if (rival === undefined) return undefined;
      return `Another turbo with the serial number ${serial} is at ${rival.port} and was refused. Give one of them a number of its own.`;
    },
    forget(serial) {
      bearers.delete(serial);
      refused.get(serial)?.timer.cancel();
      refused.delete(serial);
    },
    stop() {
      for (const { timer } of refused.values()) timer.cancel();
      refused.clear();
    },
  };
}
