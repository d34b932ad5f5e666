/** Answers kept for repeated requests: far more than any window, far fewer than sequence numbers. */
const KEPT_ANSWERS = 256;

/**
 * Requests seen in this session, by sequence number, with their answers. Keeps those in progress until answered or
 * abandoned, and the last 256 answered ones.
 */
export class SeenRequests {
  private readonly bySeq = new Map<number, Uint8Array | 'handling'>();
  private readonly order = new Int32Array(KEPT_ANSWERS).fill(-1);
  private next = 0;

  /** The answer; `handling`: in progress; undefined: never seen. */
  find(seq: number): Uint8Array | 'handling' | undefined {
    return this.bySeq.get(seq);
  }

  begin(seq: number): void {
    this.bySeq.set(seq, 'handling');
  }

  answered(seq: number, bytes: Uint8Array): void {
    this.bySeq.delete(this.order[this.next] ?? -1);
    this.order[this.next] = seq;
    this.next = (this.next + 1) % KEPT_ANSWERS;
    this.bySeq.set(seq, bytes);
  }

  forget(seq: number): void {
    this.bySeq.delete(seq);
  }

  clear(): void {
    this.bySeq.clear();
    this.order.fill(-1);
    this.next = 0;
  }
}
