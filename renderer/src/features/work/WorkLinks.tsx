import { History, Map as MapIcon } from 'lucide-react';
import { Link } from 'wouter';
import button from '../../ui/Button.module.css';
import { texts } from '../../ui/texts.ts';

const ICON = 16;

/** From an order or a sequence to its history and, while something of it is lit, to the map. Undefined: nothing is. */
export function WorkLinks({ map, history }: { map: string | undefined; history: string }) {
  return (
    <>
      {map !== undefined && (
        <Link href={map} className={button.button ?? ''}>
          <MapIcon size={ICON} aria-hidden="true" />
          {texts.work.onMap}
        </Link>
      )}
      <Link href={history} className={button.button ?? ''}>
        <History size={ICON} aria-hidden="true" />
        {texts.work.history}
      </Link>
    </>
  );
}
