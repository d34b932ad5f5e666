import { useEffect, useMemo, useState } from 'react';
import type { ScreenContent } from '#shared/screen/content.ts';
import { hasIconSheets } from '#shared/screen/iconSheets.ts';
import { isComplete, sheetOf } from '#shared/screen/sheets.ts';
import { toCodes } from '#shared/screen/text.ts';

/** What every sheet has. */
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]*$/;

/**
 * Whether all letters and signs of this screen are there to be drawn. Signs, and letters beyond Western Europe's, are loaded
 * when a screen first needs them; where they cannot be had, boxes stand for letters and paper for signs.
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
    const goOn = () => {
      if (isWanted) setAsked(true);
    };
    // Refused: the station does not answer just now; it is drawn with what there is.
    void load().then(goOn, goOn);
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
