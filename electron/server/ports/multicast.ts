import type { NetworkWish } from './networkLinks.ts';

/**
 * A UDP query to all members of a group. `answersToGroup` tells whether answers go to the group instead of only to the socket that sent the
 * query.
 */
export type MulticastQuestion = { group: string; port: number; bytes: Uint8Array; answersToGroup: boolean };

export type Multicast = {
  /**
   * Sends the query in each network of this machine, and passes on a few answers per sender from these networks until the time is up.
   * Rejects with an Error whose message is for the user if the query could not be sent in any network.
   */
  ask(question: MulticastQuestion, onAnswer: (bytes: Buffer, sender: string) => void): Promise<void>;
};

/** A controller that answered a search. `name` and `serialNumber` are as reported by the controller, or empty strings. */
export type FoundController = {
  kind: NetworkWish['kind'];
  url: string;
  name: string;
  serialNumber: string;
  /** Whether the connection is encrypted with a key that only its owner knows. */
  needsKey: boolean;
};
