import { useEffect, useRef, useState } from 'react';
import type { ImportCounts } from '#shared/api/imports.ts';
import type { TableKind } from '#shared/lib/tables/fields.ts';
import { useStationContext } from '../station/context.ts';
import type { StationStore } from '../station/live/store.ts';
import type { ImportOptions, ImportSource } from '../station/calls/importApi.ts';
import type { Corrections, FileQuestion, FilePreview } from './readFile.ts';

/** A file with a person's answers and corrections. */
type Sent = { source: ImportSource; answers: ImportOptions; corrections: Corrections };

/** The preview of a file. `aside` contains the keys of the orders that are set aside, with the number of one of their rows. */
export type PreviewStep = Sent & { kind: 'preview'; preview: FilePreview; aside: Aside };
export type Aside = ReadonlyMap<string, number>;

/** A step that survives leaving the page, until the window closes or somebody else signs in. */
export type RestingStep = { kind: 'choose' } | (Sent & { kind: 'question'; question: FileQuestion }) | PreviewStep;
/** A step that lasts until the station answers. */
type BusyStep = { kind: 'checking'; name: string } | { kind: 'running'; counts: ImportCounts };

type Kept = { by: string; step: RestingStep };

const keptSteps = {
  orders: new WeakMap<StationStore, Kept>(),
  articles: new WeakMap<StationStore, Kept>(),
  locations: new WeakMap<StationStore, Kept>(),
} as const satisfies Record<TableKind, WeakMap<StationStore, Kept>>;

export type ImportStep = {
  step: RestingStep | BusyStep;
  /** Why the last step failed, as a sentence; empty if there was no error. */
  failure: string;
  /** Hides the last failure, because what it describes has changed. */
  clearFailure(): void;
  /** The last resting step of this person. */
  kept(): RestingStep;
  /** Shows and keeps a step. `failure` is the reason why the previous step failed. */
  rest(next: RestingStep, failure?: string): void;
  /** Keeps a changed preview and shows it unless another step is visible. */
  update(preview: PreviewStep): void;
  /** Shows a step and returns a signal that `cancel` aborts. */
  begin(next: BusyStep): AbortSignal;
  cancel(): void;
  /** Forgets the step. Calls `leavePage` unless the person has already left the page. */
  finish(leavePage: () => void): void;
};

/** Returns the visible step of an import, which is kept until the person comes back to the page. */
export function useImportStep(kind: TableKind): ImportStep {
  const { store } = useStationContext();
  const by = store.getState().station?.user.name ?? '';
  const kept = (): RestingStep => {
    const last = keptSteps[kind].get(store);
    return last?.by === by ? last.step : { kind: 'choose' };
  };
  const keep = (next: RestingStep) => void keptSteps[kind].set(store, { by, step: next });
  const [step, setStep] = useState<RestingStep | BusyStep>(kept);
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController>(undefined);
  const hasLeft = useRef(false);
  useEffect(() => {
    hasLeft.current = false;
    return () => void (hasLeft.current = true);
  }, []);

  return {
    step,
    failure,
    clearFailure: () => setFailure(''),
    kept,
    rest(next, said = '') {
      keep(next);
      setFailure(said);
      setStep(next);
    },
    update(preview) {
      keep(preview);
      setFailure('');
      setStep((now) => (now.kind === 'preview' ? preview : now));
    },
    begin(next) {
      const controller = new AbortController();
      running.current = controller;
      setFailure('');
      setStep(next);
      return controller.signal;
    },
    cancel: () => running.current?.abort(),
    finish(leavePage) {
      keptSteps[kind].delete(store);
      if (!hasLeft.current) leavePage();
    },
  };
}
