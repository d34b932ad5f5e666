import { ListChecks, Map as MapIcon } from 'lucide-react';
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react';
import { Button } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import { useRight, useStationState } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import type { Mode } from './map/actions.ts';
import styles from './StationPage.module.css';

const TakeTour = lazy(async () => {
  const { TakeTour: component } = await import('../../shop/tour/TakeTour.tsx');
  return { default: component };
});

type Props = {
  mode: Mode;
  enter(mode: Mode): void;
  /** Whether a device's panel is open. */
  isSelected: boolean;
};

/** Buttons to choose devices, edit the map and start the tour. */
export function ModeButtons({ mode, enter, isSelected }: Props) {
  const buttons = useFocusAfter(mode);
  const mayWork = useRight('work');
  const isTrial = useStationState(
    ({ station }) =>
      station?.turbos.some(({ transport, device_count: count }) => transport === 'simulated' && count > 0) ?? false,
  );
  return (
    <div ref={buttons} className={`${parts.rowMiddle} ${styles.modes}`}>
      {isTrial && mode === 'look' && !isSelected && (
        <Suspense fallback={null}>
          <TakeTour />
        </Suspense>
      )}
      {mayWork && mode === 'look' && (
        <Button icon={ListChecks} data-enters="choose" onPress={() => enter('choose')}>
          {texts.choose.begin}
        </Button>
      )}
      {mode === 'look' && (
        <Button icon={MapIcon} data-enters="edit" needs="edit_map" onPress={() => enter('edit')}>
          {texts.map.edit}
        </Button>
      )}
    </div>
  );
}

/** Returns a ref for the buttons' container. When a mode ends, the focus returns to the button that started it. */
function useFocusAfter(mode: Mode): RefObject<HTMLDivElement | null> {
  const buttons = useRef<HTMLDivElement>(null);
  const left = useRef(mode);
  useEffect(() => {
    const from = left.current;
    left.current = mode;
    if (mode !== 'look' || from === 'look' || document.activeElement !== document.body) return;
    buttons.current?.querySelector<HTMLElement>(`[data-enters="${from}"]`)?.focus();
  }, [mode]);
  return buttons;
}
