import type { BoardFacts } from './boards.ts';

/** Access control for turbos on the network. */
export type Admission = {
  /** Resolves with the reason why the turbo is refused, as human-readable text. Undefined: it is admitted. */
  admit(signIn: { username: string; secret: string }): Promise<string | undefined>;
  /** Whether the credentials are still valid. */
  isLive(): boolean;
  /** Name of the API user with the scope `turbo` that signed in. There is a limit to the devices that it can register. */
  turboKey(): string | undefined;
  /** The board to which the key is bound. Only this board can sign in with the key, and it has no other device. */
  boundTo(): BoundBoard | undefined;
  /** Signs an update for the board that signed in, with the hash of its key. Undefined if it signed in without a key. */
  signUpdate(update: UpdateToSign): Uint8Array | undefined;
  /** Undefined: the turbo has already signed in. */
  challenge?: TurboChallenge;
};

/** `files`: number of files; `hash`: hash of all files; `nonce`: from the board, for one session. */
export type UpdateToSign = { serialNumber: string; nonce: Uint8Array; files: number; hash: Uint8Array };

export type BoundBoard = Pick<BoardFacts, 'serialNumber' | 'deviceId'>;

/** A sign-in for one connection that does not transmit the key. */
export type TurboChallenge = {
  /** Returns a new challenge, which replaces an earlier one. `nonce`: from the turbo. */
  offer(turbo: { serialNumber: string; username: string; nonce: Uint8Array }): Uint8Array;
  /** Checks the answer to the challenge. Each challenge can be answered once. Returns the reason for a refusal; undefined if admitted. */
  admit(turbo: { serialNumber: string; username: string; answer: Uint8Array }): string | undefined;
};
