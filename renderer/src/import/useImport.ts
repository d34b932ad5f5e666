import { useEffect, useRef, useState } from 'react';
import type { ImportCounts } from '#shared/api/imports.ts';
import type { TableKind } from '#shared/lib/tables/fields.ts';
import { sentenceOf } from '../words/apiError.ts';
import { useStationContext } from '../station/context.ts';
import type { StationStore } from '../station/store.ts';
import type { ImportCells, ImportOptions, ImportSource } from '../station/importApi.ts';
import * as texts from '../words/texts.ts';
import { useToasts } from '../shop/toasts.ts';
import {
  correctAgain,
  type Corrections,
  type FileQuestion,
  type FilePreview,
  type ReadFile,
  readFile,
  withRows,
} from './readFile.ts';

/** A file with a person's answers and corrections. */
type Sent = { source: ImportSource; answers: ImportOptions; corrections: Corrections };

/** `aside`: keys of the orders that are set aside, with one line of each. */
export type PreviewStep = Sent & { kind: 'preview'; preview: FilePreview; aside: Aside };
export type Aside = ReadonlyMap<string, number>;

/** A step that survives leaving the page, until the window closes or somebody else signs in. */
type RestingStep = { kind: 'choose' } | (Sent & { kind: 'question'; question: FileQuestion }) | PreviewStep;
type Step = RestingStep | { kind: 'checking'; name: string } | { kind: 'running'; counts: ImportCounts };

type Kept = { by: string; step: RestingStep };

const words = texts.importing;
const keptSteps = {
  orders: new WeakMap<StationStore, Kept>(),
  articles: new WeakMap<StationStore, Kept>(),
  locations: new WeakMap<StationStore, Kept>(),
} as const satisfies Record<TableKind, WeakMap<StationStore, Kept>>;

/** The steps of an import: read a file, correct its columns and rows, import. */
export function useImport(kind: TableKind) {
  const { api, store } = useStationContext();
  const toasts = useToasts();
  const by = store.getState().station?.user.name ?? '';
  const kept = (): RestingStep => {
    const last = keptSteps[kind].get(store);
    return last?.by === by ? last.step : { kind: 'choose' };
  };
  const [step, setStep] = useState<Step>(kept);
  const [failure, setFailure] = useState('');
  /** The source that was sent last. */
  const [source, setSource] = useState<ImportSource>();
  const running = useRef<AbortController>(undefined);
  const lastCorrection = useRef(Promise.resolve());
  const hasLeft = useRef(false);
  useEffect(() => {
    hasLeft.current = false;
    return () => void (hasLeft.current = true);
  }, []);

  function rest(next: RestingStep, said = ''): void {
    keptSteps[kind].set(store, { by, step: next });
    setFailure(said);
    setStep(next);
  }

  function begin(next: Step): AbortSignal {
    const controller = new AbortController();
    running.current = controller;
    setFailure('');
    setStep(next);
    return controller.signal;
  }

  /** Sends the file with answers. */
  async function check(
    source: ImportSource,
    answers: ImportOptions = {},
    { isComplete = false, keepsCorrections = false } = {},
  ): Promise<void> {
    const signal = begin({ kind: 'checking', name: source.name });
    setSource(source);
    const send = (options: ImportOptions) => api.previewImport(kind, source, options, signal);
    try {
      await lastCorrection.current;
      const before = kept();
      const corrections = keepsCorrections && before.kind !== 'choose' ? before.corrections : {};
      const next = await stepOf(source, corrections, await readFile(send, answers, isComplete));
      rest(signal.aborted ? before : next);
    } catch (error) {
      rest(kept(), signal.aborted ? '' : sentenceOf(error));
    }
  }

  async function stepOf(source: ImportSource, corrections: Corrections, read: ReadFile): Promise<RestingStep> {
    const { answers } = read;
    if (read.kind === 'question') return { kind: 'question', source, answers, corrections, question: read.question };
    const corrected = await correctAgain(api, read.preview, corrections);
    return { kind: 'preview', source, answers, aside: new Map(), ...corrected };
  }

  async function correctNow(line: number, cells: ImportCells): Promise<void> {
    const before = kept();
    if (before.kind !== 'preview' || before.preview.id === null) return;
    const corrected = await api.correctImportRow(before.preview.id, line, cells);
    const corrections = { ...before.corrections, [line]: { ...before.corrections[line], ...cells } };
    const next = { ...before, corrections, preview: withRows(before.preview, corrected) };
    keptSteps[kind].set(store, { by, step: next });
    setFailure('');
    setStep((now) => (now.kind === 'preview' ? next : now));
  }

  function leave(finish: () => void): void {
    keptSteps[kind].delete(store);
    // Do not navigate if the person has left this page.
    if (!hasLeft.current) finish();
  }

  return {
    step,
    failure,
    source,
    choose: (source: ImportSource) => void check(source),
    /** Reads the file again with the previous answers and these. */
    answer(given: ImportOptions): void {
      if (step.kind !== 'question' && step.kind !== 'preview') return;
      // Corrections belong to lines of one sheet.
      const sheet = step.kind === 'preview' ? step.preview.sheet : step.answers.sheet;
      const keepsCorrections = given.sheet === undefined || given.sheet === sheet;
      const isComplete = step.kind === 'preview';
      void check(step.source, { ...step.answers, ...given }, { isComplete, keepsCorrections });
    },
    /** Forgets what the station remembers for these columns, and reads the file again. */
    async forget(): Promise<void> {
      if (step.kind !== 'preview' || step.preview.remembered === null) return;
      const { id } = step.preview.remembered;
      await toasts.attempt(words.notForgotten, async () => {
        await api.forgetImportColumns(id);
        await check(step.source);
      });
    },
    /** Sends corrections one at a time, because each is checked together with the previous ones. */
    correct(line: number, cells: ImportCells): Promise<void> {
      lastCorrection.current = lastCorrection.current.then(() =>
        toasts.attempt(words.notCorrected(line), () => correctNow(line, cells)),
      );
      return lastCorrection.current;
    },
    /** Sets an order aside as a draft, or includes it again. `line`: one of its rows. */
    setAside(key: string, line: number): void {
      if (step.kind !== 'preview') return;
      const aside = new Map(step.aside);
      if (!aside.delete(key)) aside.set(key, line);
      rest({ ...step, aside });
    },
    /** Imports the preview. `finish`: leaves the page. */
    async run(finish: () => void): Promise<void> {
      if (step.kind !== 'preview' || step.preview.id === null) return;
      const { counts, id } = step.preview;
      const signal = begin({ kind: 'running', counts });
      try {
        await lastCorrection.current;
        await api.runImport(id, [...step.aside.values()], signal);
        leave(finish);
      } catch (error) {
        // The answer can be lost, or the request aborted, after the station has begun, which then finishes the import.
        const state = await api.loadImport(id).then(
          (entry) => entry.state,
          () => undefined,
        );
        if (state !== undefined && state !== 'preview') {
          toasts.say(words.tooLate);
          return leave(finish);
        }
        const reason = signal.aborted ? words.cancelled : sentenceOf(error);
        rest(kept(), state === undefined ? `${reason} ${words.unknown}` : `${words.failed} ${reason}`);
      }
    },
    /** Hides the last failure, because what it describes has changed. */
    clearFailure: () => setFailure(''),
    cancel: () => running.current?.abort(),
    back: () => rest({ kind: 'choose' }),
  };
}
