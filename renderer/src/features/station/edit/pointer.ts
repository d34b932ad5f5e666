/** Where the pointer is in the window, told without drawing anything. */
export type Pointer = {
  moveTo(x: number, y: number): void;
  /** Hears where it is, at once and whenever it moves; answers what ends it. */
  watch(hear: (x: number, y: number) => void): () => void;
};

export function createPointer(): Pointer {
  const listeners = new Set<(x: number, y: number) => void>();
  let at = { x: 0, y: 0 };
  return {
    moveTo(x, y) {
      at = { x, y };
      for (const hear of listeners) hear(x, y);
    },
    watch(hear) {
      listeners.add(hear);
      hear(at.x, at.y);
      return () => listeners.delete(hear);
    },
  };
}
