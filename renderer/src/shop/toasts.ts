import { createContext, use } from 'react';
import { useAct } from '../useAct.ts';
import { sentenceOf } from '../words/apiError.ts';
import { type StationContext, useStationContext } from '../station/context.ts';

/** A short message at the lower edge of the window. */
export type Toast = {
  id: number;
  /** A `said` toast disappears after a while; a `failed` one stays until somebody dismisses it. */
  kind: 'said' | 'failed';
  text: string;
  undo?: () => void | Promise<unknown>;
  /** The next step that the toast offers. `failed` is the first part of the error message. */
  action?: { words: string; run: () => void | Promise<unknown>; failed: string };
  /** Topic of the toast. Only the newest toast of a topic is shown. */
  topic?: string;
};

type Options = Pick<Toast, 'undo' | 'action' | 'topic'>;

export type Toasts = {
  /** Shows a result, optionally with Undo or a next step. Returns a function that removes the toast early. */
  show(text: string, options?: Options): () => void;
  /** Shows a failure and its cause (`error`) until somebody dismisses the toast. */
  fail(text: string, error?: unknown): void;
  /** Runs `act`. If this fails, shows `failed` and the cause. */
  attempt(failed: string, act: () => unknown): Promise<void>;
};

export type ToastList = Toasts & {
  list(): readonly Toast[];
  /** Calls `listener` whenever the list changes. Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void;
  dismiss(id: number): void;
};

/** Maximum number of `said` toasts. More would cover the work, so the oldest one disappears. */
const MAX_SAID = 3;

export function createToasts(): ToastList {
  const listeners = new Set<() => void>();
  let toasts: readonly Toast[] = [];
  let lastId = 0;

  function change(next: readonly Toast[]): void {
    toasts = next;
    for (const listener of listeners) listener();
  }

  const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

  function add(toast: Omit<Toast, 'id'>): number {
    const others = toasts.filter(({ kind, text, topic }) => {
      // Show a repeated failure only once, and only the newest message of a topic.
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
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dismiss,
    show(text, options = {}) {
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

/** Returns the toasts of this window, from the context. */
export function useToasts(): ToastList {
  const toasts = use(Context);
  if (toasts === null) throw new Error('A part of the window was drawn outside its ToastProvider.');
  return toasts;
}

/** Returns the page's shared services and its toasts. */
export function useServices(): StationContext & { toasts: ToastList } {
  return { ...useStationContext(), toasts: useToasts() };
}

/** Returns a button's action. `busy` tells whether the action is running. If the action fails, a toast is shown. */
export function useAttempt(failed: string, act: () => unknown): { busy: boolean; run(): void } {
  const toasts = useToasts();
  const { busy, run } = useAct(() => toasts.attempt(failed, act));
  return { busy, run };
}
