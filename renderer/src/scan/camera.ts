import type { CodeReader } from './codeReader.ts';

export type CameraFailure = 'missing' | 'insecure' | 'denied' | 'busy' | 'reader' | 'other';
export type CameraState =
  | { kind: 'starting' }
  | {
      kind: 'on';
      /** Whether the camera's light is on, or undefined if the camera has no light. */ torch: boolean | undefined;
    }
  | { kind: 'hidden' }
  | { kind: 'failed'; failure: CameraFailure; reason: string };

export type CameraParts = {
  /** Undefined if the page is not in a secure context. */
  mediaDevices: Pick<MediaDevices, 'getUserMedia'> | undefined;
  isSecure: boolean;
  document: Document;
  video: HTMLVideoElement;
  /** Returns the current picture of the camera, or undefined if there is none yet. */
  grab(video: HTMLVideoElement): ImageData | undefined;
  openReader(): Promise<CodeReader>;
  setTimer(delayMs: number, run: () => void): () => void;
  seen(code: string): void;
  changed(state: CameraState): void;
};

export type Camera = { setTorch(on: boolean): Promise<void>; stop(): void };

/** Interval between pictures in milliseconds. Short enough for handheld scanning, and long enough to save battery. */
export const EVERY_MS = 150;

/** Reads codes from the rear camera until `stop` is called. Pauses while the page is hidden. */
export function startCamera(parts: CameraParts): Camera {
  const { document, video, changed } = parts;
  let stream: MediaStream | undefined;
  let reader: CodeReader | undefined;
  let cancel: (() => void) | undefined;
  let isOver = false;

  function end(): void {
    isOver = true;
    cancel?.();
    for (const track of stream?.getTracks() ?? []) track.stop();
    reader?.stop();
    video.srcObject = null;
    document.removeEventListener('visibilitychange', look);
  }

  function look(): void {
    if (document.visibilityState !== 'hidden') return;
    end();
    changed({ kind: 'hidden' });
  }

  function fail(failure: CameraFailure, reason = ''): void {
    if (isOver) return;
    end();
    changed({ kind: 'failed', failure, reason });
  }

  async function readNext(): Promise<void> {
    if (isOver || reader === undefined) return;
    const frame = parts.grab(video);
    try {
      const code = frame === undefined ? undefined : await reader.read(frame);
      if (code !== undefined && code !== '' && !isStopped()) parts.seen(code);
    } catch (error) {
      fail('reader', reasonOf(error));
      return;
    }
    if (!isStopped()) cancel = parts.setTimer(EVERY_MS, () => void readNext());
  }

  // Call a function: after an `await`, TypeScript would assume that `isOver` is still false.
  const isStopped = (): boolean => isOver;

  async function open(): Promise<void> {
    if (parts.mediaDevices === undefined) {
      fail(parts.isSecure ? 'missing' : 'insecure');
      return;
    }
    try {
      stream = await parts.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: { ideal: 'environment' }, width: { ideal: 1_280 }, height: { ideal: 720 } },
      });
    } catch (error) {
      fail(failureOf(error), reasonOf(error));
      return;
    }
    // Scanning was stopped while the browser was asking for permission.
    if (isStopped()) {
      end();
      return;
    }
    video.srcObject = stream;
    await video.play().catch(() => undefined);
    try {
      reader = await parts.openReader();
    } catch (error) {
      fail('reader', reasonOf(error));
      return;
    }
    if (isStopped()) {
      end();
      return;
    }
    changed({ kind: 'on', torch: hasTorch(stream) ? false : undefined });
    await readNext();
  }

  changed({ kind: 'starting' });
  document.addEventListener('visibilitychange', look);
  void open();
  return {
    async setTorch(on) {
      // TypeScript's DOM types do not contain `torch` yet.
      await trackOf(stream)?.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] });
      changed({ kind: 'on', torch: on });
    },
    stop: end,
  };
}

function trackOf(stream: MediaStream | undefined): MediaStreamTrack | undefined {
  return stream?.getVideoTracks()[0];
}

function hasTorch(stream: MediaStream): boolean {
  // Firefox before 132 does not support `getCapabilities`.
  const track: { getCapabilities?(): object } | undefined = trackOf(stream);
  const capabilities: { torch?: boolean } = track?.getCapabilities?.() ?? {};
  return capabilities.torch === true;
}

const FAILURES = new Map(
  Object.entries<CameraFailure>({
    NotAllowedError: 'denied',
    SecurityError: 'denied',
    NotFoundError: 'missing',
    OverconstrainedError: 'missing',
    NotReadableError: 'busy',
    AbortError: 'busy',
  }),
);

function failureOf(error: unknown): CameraFailure {
  return (error instanceof Error && FAILURES.get(error.name)) || 'other';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns a function that draws the current video frame at full resolution and returns its pixels. */
export function grabFrame(canvas: HTMLCanvasElement): CameraParts['grab'] {
  return (video) => {
    const { videoWidth: width, videoHeight: height } = video;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (width === 0 || context === null) return undefined;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0);
    return context.getImageData(0, 0, width, height);
  };
}
