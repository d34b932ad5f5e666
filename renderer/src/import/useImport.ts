import { useRef, useState } from 'react';
import type { TableKind } from '#shared/lib/tables/fields.ts';
import { sentenceOf } from '../words/apiError.ts';
import type { Api } from '../station/calls/api.ts';
import { useStationContext } from '../station/context.ts';
import type { ImportCells, ImportOptions, ImportSource } from '../station/calls/importApi.ts';
import * as texts from '../words/texts.ts';
import { useToasts } from '../shop/toasts.ts';
import { correctAgain, type Corrections, type FilePreview, type ReadFile, readFile, withRows } from './readFile.ts';
import { type Aside, type ImportStep, type PreviewStep, type RestingStep, useImportStep } from './useImportStep.ts';

const words = texts.importing;

/** Returns the order key of each row by line number, or undefined if this kind of file has no orders. */
type OrderKeys = (rows: FilePreview['rows']) => ReadonlyMap<number, string> | undefined;

/** Runs the steps of an import: read a file, correct its columns and rows, import. */
export function useImport(kind: TableKind, orderKeys: OrderKeys) {
  const state = useImportStep(kind);
  const { step, failure, clearFailure, rest, cancel } = state;
  const { correct, corrected } = useRowCorrections(state);
  const { source, check, answer, forget } = useFileChecks({ kind, orderKeys }, state, corrected);
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

/**
 * Corrects single rows. The returned `corrected` resolves once the station has answered all corrections, and rejects if one of those that
 * it waited for failed.
 */
function useRowCorrections({ kept, update }: ImportStep) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const last = useRef(Promise.resolve());
  const failures = useRef<unknown[]>([]);

  async function correctNow(line: number, cells: ImportCells): Promise<void> {
    const before = kept();
    if (before.kind !== 'preview' || before.preview.id === null) return;
    const corrected = await api.correctImportRow({ path: { id: before.preview.id, line }, body: { cells } });
    // The person may have set orders aside in the meantime.
    const now = kept();
    if (now.kind !== 'preview' || now.preview.id !== before.preview.id) return;
    const corrections = { ...now.corrections, [line]: { ...now.corrections[line], ...cells } };
    update({ ...now, corrections, preview: withRows(now.preview, corrected) });
  }

  async function correctAndReport(line: number, cells: ImportCells): Promise<void> {
    await toasts.attempt(words.notCorrected(line), async () => {
      try {
        await correctNow(line, cells);
      } catch (error) {
        failures.current.push(error);
        throw error;
      }
    });
  }

  return {
    /** Sends corrections one at a time, because each is checked together with the previous ones. */
    correct(line: number, cells: ImportCells): Promise<void> {
      last.current = last.current.then(() => correctAndReport(line, cells));
      return last.current;
    },
    async corrected(): Promise<void> {
      const before = failures.current.length;
      await last.current;
      if (failures.current.length > before) throw failures.current[before];
    },
  };
}

/** Sends the file to the station, and sends it again after each answer, until there is a preview. */
function useFileChecks(
  { kind, orderKeys }: { kind: TableKind; orderKeys: OrderKeys },
  { step, kept, rest, begin }: ImportStep,
  corrected: () => Promise<void>,
) {
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
      const aside = keepsCorrections && before.kind === 'preview' ? before.aside : NONE_ASIDE;
      rest(signal.aborted ? before : next.kind === 'preview' ? withAside(next, aside, orderKeys) : next);
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
  return { kind: 'preview', source, answers, aside: NONE_ASIDE, ...corrected };
}

const NONE_ASIDE: Aside = new Map();

/** Sets the orders aside that were set aside before, if the new preview still has them. */
function withAside(next: PreviewStep, before: Aside, orderKeys: OrderKeys): PreviewStep {
  const keys = orderKeys(next.preview.rows);
  return { ...next, aside: new Map([...before].filter(([key, line]) => keys?.get(line) === key)) };
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
