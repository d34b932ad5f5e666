import { useEffect, useMemo, useState } from 'react';
import type { ScreenContent } from '#shared/screen/content.ts';
import { isComplete, sheetOf } from '#shared/screen/sheets.ts';
import { toCodes } from '#shared/screen/text.ts';

/** What every sheet has. */
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]*$/;

/**
 * Whether all letters of this screen are there to be drawn. Those beyond Western Europe's are loaded when a screen first needs them;
 * where they cannot be had, boxes stand for them.
 */
export function useGlyphs(screen: ScreenContent | null): boolean {
  const [asked, setAsked] = useState<'no' | 'done'>('no');
  const isPlain = useMemo(() => screen === null || !needsMore(screen), [screen]);
  const isReady = isPlain || isComplete() || asked === 'done';

  useEffect(() => {
    if (isReady) return;
    let isWanted = true;
    void loadSheets().then(() => {
      if (isWanted) setAsked('done');
    });
    return () => {
      isWanted = false;
    };
  }, [isReady]);

  return isReady;
}

async function loadSheets(): Promise<void> {
  try {
    await import('#shared/screen/allSheets.ts');
  } catch {
    // The station does not answer just now; it is drawn with what there is.
  }
}

function needsMore({ label, lines, icon }: ScreenContent): boolean {
  const text = [label, ...lines, icon].join(' ');
  return !PLAIN.test(text) && toCodes(text).some((code) => sheetOf(14).findGlyph(code) === undefined);
}
