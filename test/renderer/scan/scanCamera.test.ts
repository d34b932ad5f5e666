import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CameraState, EVERY_MS, startCamera } from '../../../renderer/src/scan/camera.ts';
import { openCodeReader } from '../../../renderer/src/scan/codeReader.ts';
import { settled } from './fakeScanners.ts';

const states: CameraState[] = [];
const seen: string[] = [];
const track = {
  stop: vi.fn(),
  applyConstraints: vi.fn(() => Promise.resolve()),
  getCapabilities: () => ({ torch: true }),
};
const stream = { getTracks: () => [track], getVideoTracks: () => [track] } as unknown as MediaStream;
const reader = { read: vi.fn<() => Promise<string | undefined>>(), stop: vi.fn() };
let visibility: 'visible' | 'hidden';

beforeEach(() => {
  vi.useFakeTimers();
  states.length = 0;
  seen.length = 0;
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  for (const mock of [track.stop, track.applyConstraints, reader.read, reader.stop]) mock.mockClear();
  reader.read.mockResolvedValue('A-3-2');
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function camera(
  getUserMedia: (() => Promise<MediaStream>) | undefined = () => Promise.resolve(stream),
  isSecure = true,
) {
  const video = document.createElement('video');
  video.play = () => Promise.resolve();
  let source: unknown = null;
  Object.defineProperty(video, 'srcObject', {
    get: () => source,
    set(next: unknown) {
      source = next;
    },
  });
  const started = startCamera({
    mediaDevices: getUserMedia === undefined ? undefined : { getUserMedia },
    isSecure,
    document,
    video,
    grab: () => ({}) as ImageData,
    openReader: () => Promise.resolve(reader),
    setTimer(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    seen: (code) => seen.push(code),
    changed: (state) => states.push(state),
  });
  return { ...started, video };
}

async function passes(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

test('reads codes until stopped, and then turns the camera off', async () => {
  const { stop, video } = camera();
  await passes(EVERY_MS * 3);
  expect(states).toEqual([{ kind: 'starting' }, { kind: 'on', torch: false }]);
  expect(seen).toEqual(['A-3-2', 'A-3-2', 'A-3-2', 'A-3-2']);
  stop();
  await passes(EVERY_MS * 3);
  expect([track.stop.mock.calls.length, reader.stop.mock.calls.length, seen.length]).toEqual([1, 1, 4]);
  expect(video.srcObject).toBeNull();
});

test('turns the camera off while the page is hidden', async () => {
  camera();
  await passes(EVERY_MS);
  visibility = 'hidden';
  document.dispatchEvent(new Event('visibilitychange'));
  expect(track.stop).toHaveBeenCalledOnce();
  expect(states.at(-1)).toEqual({ kind: 'hidden' });
  const before = seen.length;
  await passes(EVERY_MS * 3);
  expect(seen).toHaveLength(before);
});

test('if the user allows the camera only after scanning was stopped, turns the camera off', async () => {
  let allow: (stream: MediaStream) => void = () => undefined;
  const { stop } = camera(() => new Promise((resolve) => (allow = resolve)));
  stop();
  allow(stream);
  await settled();
  expect(track.stop).toHaveBeenCalledOnce();
  expect(states).toEqual([{ kind: 'starting' }]);
});

test('turns the torch on', async () => {
  const { setTorch } = camera();
  await passes(0);
  await setTorch(true);
  expect(track.applyConstraints).toHaveBeenCalledWith({ advanced: [{ torch: true }] });
  expect(states.at(-1)).toEqual({ kind: 'on', torch: true });
});

test.each([
  ['NotAllowedError', 'denied'],
  ['NotFoundError', 'missing'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'other'],
])('reports the camera error %s as “%s”', async (name, failure) => {
  camera(() => Promise.reject(new DOMException('why', name)));
  await passes(0);
  expect(states.at(-1)).toEqual({ kind: 'failed', failure, reason: 'why' });
});

test('reports an insecure page, a missing camera and a failing reader', async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const nothing = {
    document,
    video: document.createElement('video'),
    grab: () => undefined,
    setTimer: () => () => undefined,
  };
  const more = { openReader: () => Promise.resolve(reader), seen: () => undefined };
  const changed = (state: CameraState) => void states.push(state);
  startCamera({ ...nothing, ...more, mediaDevices: undefined, isSecure: false, changed });
  expect(states.at(-1)).toMatchObject({ kind: 'failed', failure: 'insecure' });
  startCamera({ ...nothing, ...more, mediaDevices: undefined, isSecure: true, changed });
  expect(states.at(-1)).toMatchObject({ kind: 'failed', failure: 'missing' });
  reader.read.mockRejectedValue(new Error('no memory'));
  camera();
  await passes(0);
  expect(states.at(-1)).toEqual({ kind: 'failed', failure: 'reader', reason: 'no memory' });
  expect(track.stop).toHaveBeenCalledOnce();
});

test("uses the browser's barcode detector only if it supports the formats used in warehouses", async () => {
  const detect = vi.fn(() => Promise.resolve([{ rawValue: 'B-1-1' }, { rawValue: 'C-1-1' }]));
  const own = (formats: string[]) =>
    Object.assign(
      class {
        detect = detect;
      },
      { getSupportedFormats: () => Promise.resolve(formats) },
    );
  const found = await openCodeReader({ BarcodeDetector: own(['code_128', 'ean_13', 'qr_code', 'data_matrix', 'itf']) });
  expect(await found.read({} as ImageData)).toBe('B-1-1');
  const started: string[] = [];
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      constructor(url: URL) {
        super();
        started.push(url.pathname);
      }
    },
  );
  await openCodeReader({ BarcodeDetector: own(['qr_code']) });
  await openCodeReader({});
  vi.unstubAllGlobals();
  expect(started).toEqual([expect.stringMatching(/zxingWorker\.ts$/), expect.stringMatching(/zxingWorker\.ts$/)]);
});
