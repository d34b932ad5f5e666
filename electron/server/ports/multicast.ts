import type { NetworkWish } from './networkLinks.ts';

/** A question by UDP to all members of a group. `answersToGroup`: else they come only to the socket that asks. */
export type MulticastQuestion = { group: string; port: number; bytes: Uint8Array; answersToGroup: boolean };

export type Multicast = {
  /**
   * Asks in each network of this machine, and hands over what comes from addresses of these networks until the time to
   * answer has passed: a few answers of each sender. Rejects with a sentence if no network could be asked.
   */
  ask(question: MulticastQuestion, heard: (bytes: Buffer, sender: string) => void): Promise<void>;
};

/** A controller that answered to a search; `name` and `serialNumber` are what it says of itself, or empty. */
export type FoundController = {
  kind: NetworkWish['kind'];
  url: string;
  name: string;
  serialNumber: string;
  /** It encrypts, with a key that only its owner knows. */
  needsKey: boolean;
};
