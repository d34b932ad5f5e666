/** What the station promised to callers, readers and the receiver, recorded outside the station. It must keep all of these promises. */
export type KillLedger = {
  /** Nonces of the commands whose request was answered with 200. */
  answered: Set<string>;
  /** Display time in seconds of the commands that nobody presses, by nonce. */
  timed: Map<string, number>;
  /** The facts of each revision, as received from the event stream. */
  told: Map<number, string>;
  newestRevision: number;
};

export function createLedger(): KillLedger {
  return { answered: new Set(), timed: new Map(), told: new Map(), newestRevision: 0 };
}

/** Records one message of the event stream. Throws if a revision is repeated or decreases. */
export function takeMessage(ledger: KillLedger, message: string): void {
  const fields = new Map(
    message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const event = fields.get('event');
  // Only a reader that has not received anything yet may be reset to the current state.
  if (event === 'reset' && ledger.newestRevision > 0)
    throw new Error(`The stream cannot resume behind revision ${ledger.newestRevision}`);
  if (event !== 'facts') return;
  const revision = Number(fields.get('id'));
  if (revision <= ledger.newestRevision) {
    throw new Error(`The stream told revision ${revision} behind ${ledger.newestRevision}`);
  }
  ledger.newestRevision = revision;
  ledger.told.set(revision, fields.get('data') ?? '');
}
