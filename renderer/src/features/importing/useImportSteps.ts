import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../station/apiError.ts';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';

const words = texts.importing;

export type ImportStep<Preview> =
  | { kind: 'choose' }
  | { kind: 'checking'; rows: number }
  | { kind: 'preview'; csv: string; preview: Preview }
  | { kind: 'running'; preview: Preview };

type Means<Preview> = {
  /** Asks the station to import a file, or only what an import would do. */
  ask(csv: string, how: { dry: boolean; signal: AbortSignal }): Promise<Preview>;
  /** The id of the previous import, if known. */
  before: number | undefined;
  /** The id of the last import now. */
  lastId(): Promise<number | undefined>;
  finish(): void;
};

/** An import from a file: chosen, previewed, run. The station judges every row. */
export function useImportSteps<Preview>({ ask, before, lastId, finish }: Means<Preview>) {
  const toasts = useToasts();
  const [step, setStep] = useState<ImportStep<Preview>>({ kind: 'choose' });
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController>(undefined);
  const hasLeft = useRef(false);
  useEffect(() => {
    hasLeft.current = false;
    return () => void (hasLeft.current = true);
  }, []);

  function begin(next: ImportStep<Preview>): AbortSignal {
    const controller = new AbortController();
    running.current = controller;
    setFailure('');
    setStep(next);
    return controller.signal;
  }

  /** The station may have finished an import that was cancelled here: ask, do not guess. */
  async function wasTooLate(): Promise<boolean> {
    const last = await lastId().catch(() => undefined);
    if (last === undefined || last === before) return false;
    toasts.say(words.tooLate);
    return true;
  }

  return {
    step,
    failure,
    async check(csv: string): Promise<void> {
      const signal = begin({ kind: 'checking', rows: csv.trim().split(/\r\n|\r|\n/).length });
      try {
        const preview = await ask(csv, { dry: true, signal });
        setStep(signal.aborted ? { kind: 'choose' } : { kind: 'preview', csv, preview });
      } catch (error) {
        if (!signal.aborted) setFailure(sentenceOf(error));
        setStep({ kind: 'choose' });
      }
    },
    async run(csv: string, preview: Preview): Promise<void> {
      const signal = begin({ kind: 'running', preview });
      try {
        await ask(csv, { dry: false, signal });
        // Somebody who went to another page stays there.
        if (!hasLeft.current) finish();
      } catch (error) {
        if (signal.aborted && (await wasTooLate())) return finish();
        const reason = signal.aborted ? words.cancelled : sentenceOf(error);
        setFailure(`${words.failed} ${reason}`);
        setStep({ kind: 'preview', csv, preview });
      }
    },
    cancel: () => running.current?.abort(),
    back(): void {
      setFailure('');
      setStep({ kind: 'choose' });
    },
  };
}
