/** Number of answers to keep for repeated requests: far more than any window, far fewer than there are sequence numbers. */
const KEPT_ANSWERS = 256;

type SeenRequest = { kind: number; answer: Uint8Array | 'handling' };

/**
 * Requests received in this session, by sequence number, with their answers. Keeps requests in progress until answered or abandoned, and
 * the last 256 answered requests. A repetition has the number and the kind of the first request.
 */
export class SeenRequests {
  private readonly bySeq = new Map<number, SeenRequest>();
  private readonly order = new Int32Array(KEPT_ANSWERS).fill(-1);
  private next = 0;

  /**
   * Returns the answer to the request with this number and kind, `handling` if the request is in progress, or undefined if it was never
   * received.
   */
  find(seq: number, kind: number): Uint8Array | 'handling' | undefined {
    const seen = this.bySeq.get(seq);
    return seen?.kind === kind ? seen.answer : undefined;
  }

  begin(seq: number, kind: number): void {
    this.bySeq.set(seq, { kind, answer: 'handling' });
  }

  answered(seq: number, bytes: Uint8Array): void {
    const seen = this.bySeq.get(seq);
    if (seen === undefined) return;
    seen.answer = bytes;
    const oldest = this.order[this.next] ?? -1;
    if (oldest !== seq) this.bySeq.delete(oldest);
    this.order[this.next] = seq;
    this.next = (this.next + 1) % KEPT_ANSWERS;
  }

  forget(seq: number): void {
    this.bySeq.delete(seq);
  }

  /** Forgets all requests except the one with the number `kept`, which is in progress. */
  clear(kept?: number): void {
    const inProgress = kept === undefined ? undefined : this.bySeq.get(kept);
    this.bySeq.clear();
    this.order.fill(-1);
    this.next = 0;
    if (kept !== undefined && inProgress !== undefined) this.bySeq.set(kept, inProgress);
  }
}
