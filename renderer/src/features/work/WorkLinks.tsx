import { ButtonLink } from '../../ui/Button.tsx';
import { History, Map as MapIcon } from 'lucide-react';
import { useDevice } from '../../station/context.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import { WhyLit } from '../timeline/CommandTimeline.tsx';

/** From an order or a sequence to its history and, while something of it is lit, to the map. Undefined: nothing is. */
export function WorkLinks({ map, history }: { map: string | undefined; history: string }) {
  return (
    <>
      {map !== undefined && <ButtonLink icon={MapIcon} words={texts.work.onMap} to={map} />}
      <ButtonLink icon={History} words={texts.work.history} to={history} />
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
