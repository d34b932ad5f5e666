import type { OwnCalls } from '../../../renderer/src/station/calls/api.ts';

export type PageCall<Name extends keyof OwnCalls> = {
  given: Parameters<OwnCalls[Name]>;
  /** Body of the answer. Default: an empty list. */
  answer?: string;
  /** Method and URL of a preceding read, which returns the entity tag of what the call changes. */
  reads?: string;
  /** Method and URL of the call as they reach the transport. */
  sent: string;
  body?: unknown;
};

/** The page's own calls by name, with what they send. Some calls occur in several forms. */
export type PageCalls = { [Name in keyof OwnCalls]: PageCall<Name> | PageCall<Name>[] };

export const DEVICE = '51D000:000001';
export const GIVEN_UP = new AbortController().signal;
/** A text with characters that must be encoded in a path. */
export const ODD = 'A/1 ä?';
export const ODD_PATH = 'A%2F1%20%C3%A4%3F';
