import { useEffect, useMemo, useRef, useState } from 'react';
import { SCREEN_HEIGHT, SCREEN_WIDTH, type ScreenContent, USUAL_SIZE } from '#shared/screen/content.ts';
import { type Bitmap, bitmapToRgba, drawScreen } from '#shared/screen/drawing.ts';
import type { ScreenSize } from '#shared/screen/panel.ts';
import { hasIconSheets } from '#shared/screen/iconSheets.ts';
import { isComplete, sheetOf } from '#shared/screen/sheets.ts';
import { toCodes } from '#shared/screen/text.ts';
import { useStationContext } from '../../station/context.ts';
import { isSame } from '../../station/live/sameParts.ts';
import type { CanvasBox } from './canvasBoxes.ts';
import { isUsual } from './isUsual.ts';
import { coverageToRgba, inkCoverage } from './inkCoverage.ts';
import { type Paper, usePaper } from './paper.ts';
import styles from './ScreenCanvas.module.css';
import { screenWords } from './screenWords.ts';

type Props = {
  /** The content of the screen, or null for blank paper. */
  screen: ScreenContent | null;
  firmware: number;
  batteryMv: number | null;
  /** Size in pixels, by default 296 x 128. Screens of other shapes are drawn in the space of a 296 x 128 screen. */
  size?: ScreenSize;
  /**
   * With `fill`, the screen is as wide as its container, averaged by area. With `whole`, it has the largest whole
   * multiple of its size that fits.
   */
  scale: 'fill' | 'whole';
  /** Text for blank paper. */
  blankWords: string;
};

/** A device's screen, drawn by the same code that creates the bitmap for the device. */
export function ScreenCanvas({ screen, firmware, batteryMv, size = USUAL_SIZE, scale, blankWords }: Props) {
  const { boxes } = useStationContext();
  const paper = usePaper();
  const isReady = useGlyphs(screen);
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  /** The content that is on the canvas. Equal content, for example after a new snapshot, is not drawn again. */
  const drawn = useRef<object>(undefined);
  const [box, setBox] = useState<CanvasBox>({ width: 0, near: false, pixelRatio: 1 });

  useEffect(() => (place.current === null ? undefined : boxes.watch(place.current, setBox)), [boxes]);

  useEffect(() => {
    const target = canvas.current;
    if (target === null) return undefined;
    if (!box.near || box.width === 0) {
      if (drawn.current !== undefined) release(target);
      drawn.current = undefined;
      return undefined;
    }
    if (!isReady) return undefined;
    const wanted = {
      screen,
      firmware,
      volts: batteryMv === null ? null : Math.round(batteryMv / 10),
      size,
      scale,
      box,
      paper,
    };
    if (isSame(drawn.current, wanted)) return undefined;
    return boxes.draw(() => {
      drawn.current = wanted;
      const bitmap = screen === null ? undefined : drawScreen(screen, { firmware, batteryMv, size });
      const multiple = scale === 'whole' ? wholeMultiple(box, size) : undefined;
      if (multiple !== undefined) drawWhole(target, bitmap, { size, side: multiple / box.pixelRatio, paper });
      else
        drawAveraged(target, bitmap, { size, cssWidth: averagedWidth(box, size, scale), ratio: box.pixelRatio, paper });
    });
  }, [boxes, screen, firmware, batteryMv, size, scale, box, paper, isReady]);

  return (
    <div ref={place} className={styles.place} data-scale={scale} data-other-size={isUsual(size) ? undefined : ''}>
      <canvas
        ref={canvas}
        className={styles.canvas}
        width={0}
        height={0}
        role="img"
        aria-label={screen === null ? blankWords : screenWords(screen)}
      />
    </div>
  );
}

/** Minimum fraction of the container's width. A screen that fills less of its container is too small to read. */
const MIN_FILLED = 0.7;

/**
 * Returns the number of device pixels per screen pixel along each side. Returns undefined if every whole number makes
 * the screen much too small, as on a monitor at 150 %.
 */
function wholeMultiple(box: CanvasBox, size: ScreenSize): number | undefined {
  const { width, pixelRatio } = box;
  const room = isUsual(size) ? { width, height: Number.POSITIVE_INFINITY } : roomOf(box);
  const multiple = Math.floor(pixelRatio * Math.min(room.width / size.width, room.height / size.height));
  const isEnough = !isUsual(size) || (multiple * SCREEN_WIDTH) / (width * pixelRatio) >= MIN_FILLED;
  return multiple >= 1 && isEnough ? multiple : undefined;
}

/** Returns the space of a 296 x 128 screen in the box, in CSS pixels. The space determines the height of tile rows. */
function roomOf({ width }: CanvasBox): ScreenSize {
  const height = width < SCREEN_WIDTH ? (width * SCREEN_HEIGHT) / SCREEN_WIDTH : whole(width) * SCREEN_HEIGHT;
  return { width, height };
}

const whole = (width: number): number => Math.floor(width / SCREEN_WIDTH);

/** Returns the width of the drawn screen in CSS pixels. */
function averagedWidth(box: CanvasBox, size: ScreenSize, scale: Props['scale']): number {
  if (isUsual(size)) return scale === 'fill' ? box.width : SCREEN_WIDTH;
  const { width, height } = roomOf(box);
  return Math.min(width, (height * size.width) / size.height);
}

type Drawn = { size: ScreenSize; paper: Paper };

/** Draws each pixel as a square of `side` CSS pixels. */
function drawWhole(
  canvas: HTMLCanvasElement,
  bitmap: Bitmap | undefined,
  { size: { width, height }, side, paper }: Drawn & { side: number },
): void {
  setSize(canvas, width * side, height * side);
  const blank = () => coverageToRgba(new Float32Array(width * height), paper);
  put(canvas, bitmap === undefined ? blank() : bitmapToRgba(bitmap, paper), width, height);
}

/** Draws the screen `cssWidth` wide at the monitor's resolution. Each pixel is the mean of the area that it covers. */
function drawAveraged(
  canvas: HTMLCanvasElement,
  bitmap: Bitmap | undefined,
  { size, cssWidth, ratio, paper }: Drawn & { cssWidth: number; ratio: number },
): void {
  const width = Math.max(1, Math.round(cssWidth * ratio));
  const height = Math.max(1, Math.round((width * size.height) / size.width));
  const coverage = bitmap === undefined ? new Float32Array(width * height) : inkCoverage(bitmap, width, height);
  setSize(canvas, width / ratio, height / ratio);
  put(canvas, coverageToRgba(coverage, paper), width, height);
}

function setSize(canvas: HTMLCanvasElement, width: number, height: number): void {
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

function put(canvas: HTMLCanvasElement, rgba: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  // Keep it in main memory: each canvas is drawn once, and a GPU texture or a layer would cost more than the drawing.
  canvas.getContext('2d', { willReadFrequently: true })?.putImageData(new ImageData(rgba, width, height), 0, 0);
}

/** Frees the memory of a canvas far outside the window. */
function release(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}

/** Characters that every glyph sheet contains. */
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]*$/;

/**
 * Returns whether all glyphs of this screen are loaded. Icons, and letters beyond Western Europe, are loaded on first
 * use. If that fails, letters are drawn as boxes, and icons are left blank.
 */
export function useGlyphs(screen: ScreenContent | null): boolean {
  const hasOwn = useMemo(() => screen === null || !needsMore(screen), [screen]);
  const hasLetters = useLoaded(hasOwn || isComplete(), loadLetters);
  const hasSigns = useLoaded(screen === null || screen.icon === '' || hasIconSheets(), loadSigns);
  return hasLetters && hasSigns;
}

function useLoaded(isThere: boolean, load: () => Promise<unknown>): boolean {
  const [asked, setAsked] = useState(false);
  const isReady = isThere || asked;

  useEffect(() => {
    if (isReady) return;
    let isWanted = true;
    const resume = () => {
      if (isWanted) setAsked(true);
    };
    // If loading fails because the station is offline, draw with the available glyphs.
    void load().then(resume, resume);
    return () => {
      isWanted = false;
    };
  }, [isReady, load]);

  return isReady;
}

async function loadLetters(): Promise<void> {
  await import('#shared/screen/allSheets.ts');
}

async function loadSigns(): Promise<void> {
  await import('#shared/screen/allIcons.ts');
}

function needsMore({ label, lines }: ScreenContent): boolean {
  const text = [label, ...lines].join(' ');
  return !PLAIN.test(text) && toCodes(text).some((code) => sheetOf(15).findGlyph(code) === undefined);
}
