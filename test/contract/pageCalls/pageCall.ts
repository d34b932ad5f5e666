import type { OwnCalls } from '../../../renderer/src/station/calls/api.ts';

export type PageCall<Name extends keyof OwnCalls> = {
  given: Parameters<OwnCalls[Name]>;
  /** Body of the answer, by default an empty list. */
  answer?: string;
  /** The read before it, for the entity tag of what it changes. */
  reads?: string;
  /** Method and URL as they reach the transport. */
  sent: string;
  body?: unknown;
};

/** The page's own calls by their names, some in several forms, with what they send. */
export type PageCalls = { [Name in keyof OwnCalls]: PageCall<Name> | PageCall<Name>[] };

export const DEVICE = '51D000:000001';
export const GIVEN_UP = new AbortController().signal;
/** Contains characters that must be encoded in a path. */
export const ODD = 'A/1 ä?';
export const ODD_PATH = 'A%2F1%20%C3%A4%3F';
