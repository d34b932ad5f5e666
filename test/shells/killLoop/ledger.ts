/** What callers, readers and the receiver were promised, kept outside the station: nothing of it may be taken back. */
export type KillLedger = {
  /** Nonces of commands whose request was answered with 200. */
  answered: Set<string>;
  /** Commands that nobody presses, by nonce: the seconds they were given. */
  timed: Map<string, number>;
  /** The facts of each revision, as the event stream told them. */
  told: Map<number, string>;
  newestRevision: number;
};

export function createLedger(): KillLedger {
  return { answered: new Set(), timed: new Map(), told: new Map(), newestRevision: 0 };
}

/** Takes one message of the event stream. Throws where a revision comes twice or goes back. */
export function takeMessage(ledger: KillLedger, message: string): void {
  const fields = new Map(
    message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const event = fields.get('event');
  // Who was told nothing yet may have to begin with what is there.
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
