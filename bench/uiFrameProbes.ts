/** What a page's frames cost: by its own timestamps, and by a trace of its thread. */
import { spawn } from 'node:child_process';
import type { CDPSession, Page } from 'playwright-core';

/** Frames that the page saw. `gaps`: milliseconds between the timestamps of one and the next. */
export type SeenFrames = {
  gaps: number[];
  /** Frames that the browser itself calls long, with the scripts that ran in them. */
  long: { ms: number; scripts: string[] }[];
};

/** Installed in every page that is watched: notes the timestamp of each frame, and what the browser says of long ones. */
export const FRAME_PROBE = `(() => {
  const seen = { stamps: [], long: [] };
  window.benchFrames = seen;
  const note = (now) => {
    seen.stamps.push(now);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      seen.long.push({
        ms: entry.duration,
        scripts: entry.scripts.map((each) => Math.round(each.duration) + ' ms ' + each.invoker + ' ' + each.sourceFunctionName),
      });
  }).observe({ type: 'long-animation-frame' });
})()`;

/** The frames of a page while `action` runs. The page must have `FRAME_PROBE`. */
export async function watchFrames(page: Page, action: () => Promise<void>): Promise<SeenFrames> {
  await page.evaluate('window.benchFrames.stamps.splice(0, Infinity), window.benchFrames.long.splice(0, Infinity), 0');
  await action();
  // What was long is told a moment later.
  const { stamps, long } = await page.evaluate<{ stamps: number[]; long: SeenFrames['long'] }>(
    `new Promise((done) => setTimeout(() => done(window.benchFrames), 100))`,
  );
  return { gaps: stamps.slice(1).map((stamp, index) => stamp - (stamps[index] ?? stamp)), long };
}

/** Processor time of the page's own thread, in milliseconds. */
export type ThreadWork = {
  /** From the beginning of one frame to the next. */
  frames: number[];
  longestTask: number;
  seconds: number;
  /** Of all of it together, by what it was for. */
  script: number;
  style: number;
  layout: number;
  paint: number;
  total: number;
};

type TraceEvent = { name: string; ph: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number };

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel', 'blink.user_timing'];
const KINDS: Readonly<Record<string, 'script' | 'style' | 'layout' | 'paint'>> = {
  FunctionCall: 'script',
  EvaluateScript: 'script',
  FireAnimationFrame: 'script',
  TimerFire: 'script',
  RunMicrotasks: 'script',
  EventDispatch: 'script',
  HandlePostMessage: 'script',
  MajorGC: 'script',
  MinorGC: 'script',
  UpdateLayoutTree: 'style',
  Layout: 'layout',
  PrePaint: 'paint',
  Paint: 'paint',
  Layerize: 'paint',
  Commit: 'paint',
};

/** What the page's own thread works while `action` runs. A trace costs time itself: do not watch frames meanwhile. */
export async function traceWork(page: Page, session: CDPSession, action: () => Promise<void>): Promise<ThreadWork> {
  const events: TraceEvent[] = [];
  const hear = ({ value }: { value: object[] }) => {
    for (const event of value as TraceEvent[]) events.push(event);
  };
  session.on('Tracing.dataCollected', hear);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  });
  await page.evaluate(`performance.mark('bench')`);
  const startedAt = performance.now();
  await action();
  const seconds = (performance.now() - startedAt) / 1_000;
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', hear);
  const mark = events.find(({ name }) => name === 'bench');
  if (mark === undefined) throw new Error('The trace does not contain the page');
  const own = events.filter(({ pid, tid }) => pid === mark.pid && tid === mark.tid);
  return { ...workOf(own.toSorted((a, b) => a.ts - b.ts)), seconds };
}

function workOf(events: readonly TraceEvent[]): Omit<ThreadWork, 'seconds'> {
  const work = { frames: [] as number[], longestTask: 0, script: 0, style: 0, layout: 0, paint: 0, total: 0 };
  let frame = 0;
  /** Until then, what is found is part of something that was counted. */
  const counted = { script: 0, style: 0, layout: 0, paint: 0 };
  for (const { name, ph, ts, dur = 0, tdur = 0 } of events) {
    if (name === 'FireAnimationFrame' && frame > 0) {
      work.frames.push(frame);
      frame = 0;
    }
    if (ph !== 'X') continue;
    if (name === 'ThreadControllerImpl::RunTask') {
      const ms = tdur / 1_000;
      frame += ms;
      work.total += ms;
      work.longestTask = Math.max(work.longestTask, ms);
    }
    const kind = KINDS[name];
    if (kind === undefined || ts < counted[kind]) continue;
    counted[kind] = ts + dur;
    work[kind] += tdur / 1_000;
    // A script that asks for a layout waits for it.
    if (kind !== 'script' && ts < counted.script) work.script -= tdur / 1_000;
  }
  return work;
}

/** Keeps one core busy for at most this long; ends earlier when told so. */
export function spin(ms: number): { stop(): Promise<void> } {
  const child = spawn(
    process.execPath,
    ['-e', `const end = performance.now() + ${ms}; while (performance.now() < end);`],
    {
      stdio: 'ignore',
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
