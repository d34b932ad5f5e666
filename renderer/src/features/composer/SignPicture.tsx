import { useEffect, useRef, useState } from 'react';
import { findIconGlyph, hasIconSheets, type IconSize } from '#shared/screen/iconSheets.ts';
import type { Glyph } from '#shared/screen/sheet.ts';
import { usePaper, type Paper } from '../../screen/paper.ts';
import styles from './SignPicture.module.css';

/** Whether the signs can be drawn: their sheets are loaded when somebody first looks at them. */
function useSigns(): boolean {
  const [isLoaded, setLoaded] = useState(hasIconSheets);
  useEffect(() => {
    if (isLoaded) return undefined;
    let isWanted = true;
    void loadSigns().then(() => {
      if (isWanted) setLoaded(hasIconSheets());
    });
    return () => {
      isWanted = false;
    };
  }, [isLoaded]);
  return isLoaded;
}

async function loadSigns(): Promise<void> {
  try {
    await import('#shared/screen/allIcons.ts');
  } catch {
    // The station does not answer just now: signs go by their names.
  }
}

/** A sign as a device draws it, pixel by pixel. A picture only; its name stands beside it. */
export function SignPicture({ char, size }: { char: string; size: IconSize }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const paper = usePaper();
  const isReady = useSigns();
  useEffect(() => {
    const glyph = isReady ? findIconGlyph(char, size) : undefined;
    if (glyph !== undefined && canvas.current !== null) draw(canvas.current, glyph, size, paper);
  }, [char, size, paper, isReady]);
  return (
    <span className={styles.paper} aria-hidden="true">
      <canvas ref={canvas} className={styles.sign} width={size} height={size} style={{ width: size, height: size }} />
    </span>
  );
}

function draw(canvas: HTMLCanvasElement, glyph: Glyph, size: IconSize, { ink, paper }: Paper): void {
  const image = new ImageData(size, size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) image.data.set([...(isInk(glyph, x, y) ? ink : paper), 255], (y * size + x) * 4);
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

function isInk({ left, top, width, height, stride, bits }: Glyph, x: number, y: number): boolean {
  const [column, row] = [x - left, y - top];
  if (column < 0 || row < 0 || column >= width || row >= height) return false;
  return ((bits[row * stride + (column >> 3)] ?? 0) & (0x80 >> (column & 7))) !== 0;
}
