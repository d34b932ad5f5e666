/** Answers that are kept for repeated requests. Far more than any window, far less than the sequence numbers there are. */
const KEPT_ANSWERS = 256;

/**
 * Which requests of this session were seen, by sequence number, and how they were answered. Those being handled are kept
 * until they are answered or given back; of the answered ones the last 256.
 */
export class SeenRequests {
  private readonly bySeq = new Map<number, Uint8Array | 'handling'>();
  private readonly order = new Int32Array(KEPT_ANSWERS).fill(-1);
  private next = 0;

  /** The answer that was given; `handling`: none yet; undefined: never seen. */
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
