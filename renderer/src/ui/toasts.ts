import { createContext, use, useState } from 'react';
import { sentenceOf } from '../station/apiError.ts';

/** What is said in passing at the lower edge of the window. */
export type Toast = {
  id: number;
  /** `said` leaves by itself after a while; `failed` stays until somebody has read it. */
  kind: 'said' | 'failed';
  text: string;
  undo?: () => void | Promise<void>;
  /** What may be done next. `failed`: how a failure begins. */
  action?: { words: string; run: () => void | Promise<void>; failed: string };
  /** Of those with the same topic, only the newest is seen. */
  topic?: string;
};

type Options = Pick<Toast, 'undo' | 'action' | 'topic'>;

export type Toasts = {
  /** Says what was done; with `undo`, offers to undo it, with `action` the next step. Answers what takes it away before its time. */
  say(text: string, options?: Options): () => void;
  /** Says what failed, why (`error`) and what to do. It stays until it is dismissed. */
  fail(text: string, error?: unknown): void;
  /** Runs it; where it fails, says `failed` and why. */
  attempt(failed: string, act: () => unknown): Promise<void>;
};

export type ToastList = Toasts & {
  list(): readonly Toast[];
  /** Calls `hear` when the list is another; answers what ends it. */
  subscribe(hear: () => void): () => void;
  dismiss(id: number): void;
};

/** More than this cover what one works with; the oldest that would leave anyway goes first. */
const MAX_SAID = 3;

/** The toasts of one window. */
export function createToasts(): ToastList {
  const listeners = new Set<() => void>();
  let toasts: readonly Toast[] = [];
  let lastId = 0;

  function change(next: readonly Toast[]): void {
    toasts = next;
    for (const hear of listeners) hear();
  }

  const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

  function add(toast: Omit<Toast, 'id'>): number {
    const others = toasts.filter(({ kind, text, topic }) => {
      // The same failure again is one failure.
      if (toast.kind === 'failed') return kind !== 'failed' || text !== toast.text;
      return topic === undefined || topic !== toast.topic;
    });
    const said = others.filter(({ kind }) => kind === 'said');
    const tooMany = toast.kind === 'said' && said.length >= MAX_SAID ? said[0] : undefined;
    change([...others.filter((other) => other !== tooMany), { ...toast, id: ++lastId }]);
    return lastId;
  }

  function fail(text: string, error?: unknown): void {
    add({ kind: 'failed', text: error === undefined ? text : `${text} ${sentenceOf(error)}`.trim() });
  }

  return {
    list: () => toasts,
    subscribe(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    dismiss,
    say(text, options = {}) {
      const id = add({ kind: 'said', text, ...options });
      return () => dismiss(id);
    },
    fail,
    async attempt(failed, act) {
      try {
        await act();
      } catch (error) {
        fail(failed, error);
      }
    },
  };
}

const Context = createContext<ToastList | null>(null);

export const ToastProvider = Context.Provider;

/** Says things in passing, from anywhere in the window. */
export function useToasts(): ToastList {
  const toasts = use(Context);
  if (toasts === null) throw new Error('A part of the window was drawn outside its ToastProvider.');
  return toasts;
}

/** An action of a button: `busy` while it runs, and a toast where it fails. */
export function useAttempt(failed: string, act: () => unknown): { busy: boolean; run(): void } {
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);
  async function attempt(): Promise<void> {
    setBusy(true);
    await toasts.attempt(failed, act);
    setBusy(false);
  }
  return { busy, run: () => void attempt() };
}
