import type { Readable } from 'node:stream';

/** Number of pieces that all links of turbos and displays together handle per turn of the event loop. */
const AT_ONCE = 4;
/** Maximum number of bytes in a piece of a stream: a few messages of a turbo. */
const PIECE_BYTES = 256;

/** Limits how many pieces of other machines' messages are handled per turn of the event loop. */
export type MessageTurns = {
  /** Handles a piece now, or in a later turn if this one is full. Pieces are handled in the order of the calls. */
  take(handle: () => void): void;
};

/**
 * Creates the turns that several links share. Drops nothing: the pieces of a busy link wait. Pass each link's next piece only after its
 * previous one was handled, so that links alternate.
 */
export function createMessageTurns(atOnce = AT_ONCE): MessageTurns {
  const waiting: (() => void)[] = [];
  /** Number of pieces that can still be handled in this turn. */
  let left = atOnce;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    const due = waiting.splice(0, atOnce);
    isScheduled = false;
    left = atOnce - due.length;
    if (due.length > 0) schedule();
    for (const handle of due) handle();
  }

  return {
    take(handle) {
      schedule();
      if (left === 0 || waiting.length > 0) {
        waiting.push(handle);
        return;
      }
      left -= 1;
      handle();
    },
  };
}

/** A stream that is read in turns. */
export type ReadInTurns = {
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
  /** Discards everything that is left, and that still arrives. */
  discard(): void;
};

/**
 * Reads a stream in small pieces, and pauses it while they wait for their turn. Without pieces, thousands of messages that arrive together
 * would be handled in one turn.
 */
export function readInTurns(stream: Readable, turns: MessageTurns, handle: (piece: Uint8Array) => void): ReadInTurns {
  let rest: Uint8Array | undefined;
  let isPaused = false;
  let isDiscarded = false;
  /** Whether the next piece has a place in `turns`. */
  let isWaiting = false;

  function takeNext(): void {
    if (rest === undefined) {
      if (!isPaused && stream.isPaused()) stream.resume();
      return;
    }
    if (isPaused || isWaiting) return;
    isWaiting = true;
    turns.take(() => {
      isWaiting = false;
      handlePiece();
    });
  }

  function handlePiece(): void {
    if (rest !== undefined && !isPaused) {
      const piece = rest.subarray(0, PIECE_BYTES);
      rest = rest.length > PIECE_BYTES ? rest.subarray(PIECE_BYTES) : undefined;
      handle(piece);
    }
    takeNext();
  }

  stream.on('data', (chunk: Uint8Array) => {
    if (isDiscarded) return;
    rest = chunk;
    takeNext();
    if (rest !== undefined) stream.pause();
  });

  return {
    pause() {
      isPaused = true;
      stream.pause();
    },
    resume() {
      isPaused = false;
      takeNext();
    },
    discard() {
      isDiscarded = true;
      isPaused = false;
      rest = undefined;
      takeNext();
    },
  };
}
