import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import * as texts from '../../../words/texts.ts';
import { CommandForm } from '../../../shop/composer/CommandForm.tsx';

/** Sends one command to many devices, with the same form as in the device panel. */
export function SendDialog({ deviceids, close }: { deviceids: readonly string[]; close(): void }) {
  return (
    <Dialog title={texts.choose.sendTitle(deviceids.length)} isOpen onClose={close} size="large">
      <CommandForm deviceids={deviceids} />
    </Dialog>
  );
}
