import { withSymbology } from './symbology.ts';

/** Finds a code in a camera picture. */
export type CodeReader = {
  /** Returns the code, or undefined if there is no readable code. Rejects if the reader itself fails. */
  read(frame: ImageData): Promise<string | undefined>;
  stop(): void;
};

/** The `BarcodeDetector` of browsers that have one. */
type Detector = { detect(frame: ImageData): Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: readonly string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
};

/** Formats that the browser's reader must support; otherwise zxing is used. */
const NEEDED = ['code_128', 'ean_13', 'qr_code', 'data_matrix'];

/**
 * Opens the browser's reader if it supports the formats used on shelves and cartons. Otherwise loads zxing from the
 * station.
 */
export async function openCodeReader(window: object): Promise<CodeReader> {
  const { BarcodeDetector }: { BarcodeDetector?: DetectorClass } = window;
  const formats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  if (BarcodeDetector === undefined || !NEEDED.every((format) => formats.includes(format))) return openZxing();
  const detector = new BarcodeDetector({ formats });
  return {
    read: async (frame) => (await detector.detect(frame))[0]?.rawValue,
    stop: () => undefined,
  };
}

export type ZxingAnswer =
  | { kind: 'read'; text: string; symbology: string }
  | { kind: 'nothing' }
  | { kind: 'broken'; reason: string };

/** Runs zxing in a worker: decoding does not block the page, and only the worker's CSP allows WebAssembly. */
function openZxing(): Promise<CodeReader> {
  const worker = new Worker(new URL('./zxingWorker.ts', import.meta.url), { type: 'module' });
  return Promise.resolve({
    read: (frame) => ask(worker, frame),
    stop: () => worker.terminate(),
  });
}

/** Sends a picture to the worker and waits for the answer. Must not be called again before the worker has answered. */
function ask(worker: Worker, frame: ImageData): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const heard = new AbortController();
    const { signal } = heard;
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<ZxingAnswer>) => {
        heard.abort();
        if (data.kind === 'broken') reject(new Error(data.reason));
        else resolve(data.kind === 'read' ? withSymbology(data.symbology, data.text) : undefined);
      },
      { signal },
    );
    worker.addEventListener(
      'error',
      ({ message }) => {
        heard.abort();
        reject(new Error(message));
      },
      { signal },
    );
    worker.postMessage(frame, [frame.data.buffer]);
  });
}
