import type { BoardFacts } from './boards.ts';

/** Access control for turbos on the network. */
export type Admission = {
  /** Why the turbo is refused, as text for people; undefined: it is admitted. */
  admit(signIn: { username: string; secret: string }): Promise<string | undefined>;
  /** Whether the credentials are still valid. */
  isLive(): boolean;
  /** Name of the API user with the scope `turbo` that signed in: it can register a limited number of devices. */
  turboKey(): string | undefined;
  /** The board for which the key was made: with it nobody else signs in, and it has no other device. */
  boundTo(): BoundBoard | undefined;
  /** Proves an update to the board that signed in, with the hash of its key; undefined: it signed in without one. */
  signUpdate(update: UpdateToSign): Uint8Array | undefined;
  /** Undefined: the turbo signed in before. */
  challenge?: TurboChallenge;
};

/** `files`: how many; `hash`: over all of them; `nonce`: of the board, for one session. */
export type UpdateToSign = { serialNumber: string; nonce: Uint8Array; files: number; hash: Uint8Array };

export type BoundBoard = Pick<BoardFacts, 'serialNumber' | 'deviceId'>;

/** Sign-in by a key that does not cross the wire, for one connection. */
export type TurboChallenge = {
  /** A new challenge, which replaces an earlier one. `nonce`: of the turbo. */
  offer(turbo: { serialNumber: string; username: string; nonce: Uint8Array }): Uint8Array;
  /** Takes the answer to the challenge, once. Why the turbo is refused; undefined: it is admitted. */
  admit(turbo: { serialNumber: string; username: string; answer: Uint8Array }): string | undefined;
};
