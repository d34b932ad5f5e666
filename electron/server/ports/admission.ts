import type { BoardFacts } from './boards.ts';

/** Access control for turbos on the network. */
export type Admission = {
  /** Resolves with the reason why the turbo is refused, as human-readable text, or with undefined if the turbo is admitted. */
  admit(signIn: { username: string; secret: string }): Promise<string | undefined>;
  /** Whether the credentials are still valid. */
  isLive(): boolean;
  /** Returns the name of the API user with the scope `turbo` that signed in. The number of devices that it can register is limited. */
  turboKey(): string | undefined;
  /** Returns the board to which the key is bound. Only this board can sign in with the key, and it has no other device. */
  boundTo(): BoundBoard | undefined;
  /** Signs an update for the board that signed in, with the hash of its key. Returns undefined if the board signed in without a key. */
  signUpdate(update: UpdateToSign): Uint8Array | undefined;
  /** Challenge for the sign-in; undefined if the turbo has already signed in. */
  challenge?: TurboChallenge;
};

/** `files` is the number of files, `hash` the hash of all files, and `nonce` a random value from the board for one session. */
export type UpdateToSign = { serialNumber: string; nonce: Uint8Array; files: number; hash: Uint8Array };

export type BoundBoard = Pick<BoardFacts, 'serialNumber' | 'deviceId'>;

/** A sign-in for one connection that does not transmit the key. */
export type TurboChallenge = {
  /** Returns a new challenge, which replaces an earlier one. `nonce` comes from the turbo. */
  offer(turbo: { serialNumber: string; username: string; nonce: Uint8Array }): Uint8Array;
  /**
   * Checks the answer to the challenge. Each challenge can be answered once. Returns the reason for a refusal, or undefined if admitted.
   */
  admit(turbo: { serialNumber: string; username: string; answer: Uint8Array }): string | undefined;
};
