import type { Arrow } from './content.ts';

/**
 * A run of black pixels in row `y`, never empty, from `start` (inclusive) to `end` (exclusive). Counted in pixels from the upper left
 * corner of the arrow.
 */
export type Span = readonly [y: number, start: number, end: number];

/** Thickness of the shaft relative to the head. */
const SHAFT = 0.36;
/** Fraction of the square's sides along which the head of a diagonal arrow extends. */
const DIAGONAL_HEAD = 0.68;

/**
 * Returns the black pixels of an arrow of this size. Opposite arrows are exact mirror images. A diagonal arrow fills a square in the corner
 * to which it points.
 */
export function arrowSpans(arrow: Arrow, width: number, height: number): Span[] {
  switch (arrow) {
    case 'right':
      return pointRight(width, height);
    case 'left':
      return mirror(pointRight(width, height), width);
    case 'bottom':
      return pointDown(width, height);
    case 'top':
      return flip(pointDown(width, height), height);
    default: {
      const side = Math.min(width, height);
      const toRight = arrow.endsWith('right');
      const toBottom = arrow.startsWith('bottom');
      const mirrored = toRight ? mirror(pointTopLeft(side), side) : pointTopLeft(side);
      const spans = toBottom ? flip(mirrored, side) : mirrored;
      const [dx, dy] = [toRight ? width - side : 0, toBottom ? height - side : 0];
      return spans.map(([y, start, end]) => [y + dy, start + dx, end + dx] as const);
    }
  }
}

// The sides of the head are at exactly 45 degrees, one pixel per row, because other angles show steps in black and white.
function pointRight(width: number, height: number): Span[] {
  const head = Math.min(Math.ceil(height / 2), width);
  const shaft = shaftRows(height);
  return rows(height).map((y) => {
    const fromCentre = Math.floor(Math.abs(y - (height - 1) / 2));
    const inShaft = y >= shaft.start && y < shaft.end;
    return [y, inShaft ? 0 : width - head, width - fromCentre];
  });
}

function pointDown(width: number, height: number): Span[] {
  const head = Math.min(Math.ceil(width / 2), height);
  const shaft = shaftRows(width);
  return rows(height).map((y) => {
    const fromTip = height - 1 - y;
    if (fromTip >= head) return [y, shaft.start, shaft.end];
    return [y, Math.floor((width - 1) / 2) - fromTip, Math.ceil((width - 1) / 2) + fromTip + 1];
  });
}

function pointTopLeft(side: number): Span[] {
  const head = Math.round(side * DIAGONAL_HEAD);
  const halfShaft = Math.round((side * SHAFT * Math.SQRT2 * DIAGONAL_HEAD) / 2);
  const end = 2 * (side - 1) - halfShaft;
  return rows(side).flatMap((y): Span[] => [
    ...(y < head ? [[y, 0, head - y] as const] : []),
    [y, Math.max(0, y - halfShaft), Math.min(y + halfShaft, end - y) + 1],
  ]);
}

function shaftRows(across: number): { start: number; end: number } {
  const start = Math.round((across * (1 - SHAFT)) / 2);
  return { start, end: across - start };
}

function rows(height: number): number[] {
  return Array.from({ length: height }, (_, y) => y);
}

function mirror(spans: readonly Span[], width: number): Span[] {
  return spans.map(([y, start, end]) => [y, width - end, width - start]);
}

function flip(spans: readonly Span[], height: number): Span[] {
  return spans.map(([y, start, end]) => [height - 1 - y, start, end]);
}
