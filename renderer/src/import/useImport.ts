import { useRef, useState } from 'react';
import type { TableKind } from '#shared/lib/tables/fields.ts';
import { sentenceOf } from '../words/apiError.ts';
import type { Api } from '../station/calls/api.ts';
import { useStationContext } from '../station/context.ts';
import type { ImportCells, ImportOptions, ImportSource } from '../station/calls/importApi.ts';
import * as texts from '../words/texts.ts';
import { useToasts } from '../shop/toasts.ts';
import { correctAgain, type Corrections, type ReadFile, readFile, withRows } from './readFile.ts';
import { type ImportStep, type RestingStep, useImportStep } from './useImportStep.ts';

const words = texts.importing;

/** Runs the steps of an import: read a file, correct its columns and rows, import. */
export function useImport(kind: TableKind) {
  const state = useImportStep(kind);
  const { step, failure, clearFailure, rest, cancel } = state;
  const { correct, corrected } = useRowCorrections(state);
  const { source, check, answer, forget } = useFileChecks(kind, state, corrected);
  const run = useImportRun(state, corrected);

  return {
    step,
    failure,
    source,
    choose: (chosen: ImportSource) => void check(chosen),
    answer,
    forget,
    correct,
    /** Sets an order aside as a draft, or includes it again. `line` is the number of one of the order's rows. */
    setAside(key: string, line: number): void {
      if (step.kind !== 'preview') return;
      const aside = new Map(step.aside);
      if (!aside.delete(key)) aside.set(key, line);
      rest({ ...step, aside });
    },
    run,
    clearFailure,
    cancel,
    back: () => rest({ kind: 'choose' }),
  };
}

/** Corrects single rows. The returned `corrected` resolves once the station has answered all corrections. */
function useRowCorrections({ kept, update }: ImportStep) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const last = useRef(Promise.resolve());

  async function correctNow(line: number, cells: ImportCells): Promise<void> {
    const before = kept();
    if (before.kind !== 'preview' || before.preview.id === null) return;
    const corrected = await api.correctImportRow({ path: { id: before.preview.id, line }, body: { cells } });
    const corrections = { ...before.corrections, [line]: { ...before.corrections[line], ...cells } };
    update({ ...before, corrections, preview: withRows(before.preview, corrected) });
  }

  return {
    /** Sends corrections one at a time, because each is checked together with the previous ones. */
    correct(line: number, cells: ImportCells): Promise<void> {
      last.current = last.current.then(() => toasts.attempt(words.notCorrected(line), () => correctNow(line, cells)));
      return last.current;
    },
    corrected: () => last.current,
  };
}

/** Sends the file to the station, and sends it again after each answer, until there is a preview. */
function useFileChecks(kind: TableKind, { step, kept, rest, begin }: ImportStep, corrected: () => Promise<void>) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const [lastSource, setLastSource] = useState<ImportSource>();

  async function check(
    source: ImportSource,
    answers: ImportOptions = {},
    { isComplete = false, keepsCorrections = false } = {},
  ): Promise<void> {
    const signal = begin({ kind: 'checking', name: source.name });
    setLastSource(source);
    const send = (options: ImportOptions) => api.previewImport({ kind, source, options }, signal);
    try {
      await corrected();
      const before = kept();
      const corrections = keepsCorrections && before.kind !== 'choose' ? before.corrections : {};
      const next = await stepAfter(api, source, corrections, await readFile(send, answers, isComplete));
      rest(signal.aborted ? before : next);
    } catch (error) {
      rest(kept(), signal.aborted ? '' : sentenceOf(error));
    }
  }

  return {
    source: lastSource,
    check,
    /** Reads the file again with the previous answers and these. */
    answer(given: ImportOptions): void {
      if (step.kind !== 'question' && step.kind !== 'preview') return;
      // Discard corrections if the sheet changes, because they belong to lines of one sheet.
      const sheet = step.kind === 'preview' ? step.preview.sheet : step.answers.sheet;
      const keepsCorrections = given.sheet === undefined || given.sheet === sheet;
      const isComplete = step.kind === 'preview';
      void check(step.source, { ...step.answers, ...given }, { isComplete, keepsCorrections });
    },
    /** Makes the station forget the column mapping that it remembers for this file, and reads the file again. */
    async forget(): Promise<void> {
      if (step.kind !== 'preview' || step.preview.remembered === null) return;
      const { id } = step.preview.remembered;
      await toasts.attempt(words.notForgotten, async () => {
        await api.forgetImportColumns({ path: { id } });
        await check(step.source);
      });
    },
  };
}

/** Returns the step that follows reading a file: a question, or a preview with the previous corrections. */
async function stepAfter(
  api: Pick<Api, 'correctImportRow'>,
  source: ImportSource,
  corrections: Corrections,
  read: ReadFile,
): Promise<RestingStep> {
  const { answers } = read;
  if (read.kind === 'question') return { kind: 'question', source, answers, corrections, question: read.question };
  const corrected = await correctAgain(api, read.preview, corrections);
  return { kind: 'preview', source, answers, aside: new Map(), ...corrected };
}

/**
 * Returns a function that imports the preview. It calls `leavePage` after an import, unless the person has already
 * left the page.
 */
function useImportRun({ step, kept, rest, begin, finish }: ImportStep, corrected: () => Promise<void>) {
  const { api } = useStationContext();
  const toasts = useToasts();

  /** Returns whether the station has begun the import, or undefined if this is unknown because the station did not answer. */
  async function hasBegun(id: number): Promise<boolean | undefined> {
    try {
      return (await api.getImport({ path: { id }, query: { limit: 1 } })).state !== 'preview';
    } catch {
      return undefined;
    }
  }

  return async (leavePage: () => void): Promise<void> => {
    if (step.kind !== 'preview' || step.preview.id === null) return;
    const { counts, id } = step.preview;
    const signal = begin({ kind: 'running', counts });
    try {
      await corrected();
      await api.runImport({ path: { id }, body: { set_aside: [...step.aside.values()] } }, { signal });
      finish(leavePage);
    } catch (error) {
      // The response can be lost, or the request aborted, after the station has begun. The station then finishes the
      // import.
      const begun = await hasBegun(id);
      if (begun === true) {
        toasts.show(words.tooLate);
        return finish(leavePage);
      }
      const reason = signal.aborted ? words.cancelled : sentenceOf(error);
      rest(kept(), begun === undefined ? `${reason} ${words.unknown}` : `${words.failed} ${reason}`);
    }
  };
}
