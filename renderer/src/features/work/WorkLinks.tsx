import { History, Map as MapIcon } from 'lucide-react';
import { Link } from 'wouter';
import { useDevice } from '../../station/context.ts';
import button from '../../ui/Button.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import { WhyLit } from '../timeline/CommandTimeline.tsx';

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

export type Why = { name: string; deviceid: string; commandId: string };

/** The timeline of a command that an order or a sequence has lit. */
export function WhyDialog({ why: { name, deviceid, commandId }, close }: { why: Why; close(): void }) {
  const device = useDevice(deviceid);
  return (
    <Dialog title={texts.work.whyTitle(name)} isOpen onClose={close}>
      {device === undefined ? <p>{texts.work.gone}</p> : <WhyLit commandId={commandId} device={device} />}
    </Dialog>
  );
}
