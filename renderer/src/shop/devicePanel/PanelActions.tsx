import { Check, Ellipsis, Link, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Device } from '#shared/api/device.ts';
import { deviceAddress } from '../../station/addresses.ts';
import { useRight } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { Button } from '../../kit/button/Button.tsx';
import { copyText } from '../../kit/button/CopyLine.tsx';
import { ConfirmDialog, Dialog } from '../../kit/dialog/Dialog.tsx';
import { Menu, menuOf } from '../../kit/menu/Menu.tsx';
import { usePaletteActions } from '../paletteActions.ts';
import * as texts from '../../words/texts.ts';
import { useAttempt, useServices } from '../toasts.ts';
import styles from './PanelActions.module.css';

type Props = {
  device: Device;
  mayWork: boolean;
  /** Opens the form and focuses it. */
  openForm(): void;
  acknowledge(): void;
  close(): void;
};

/** Buttons for actions on a device other than pressing it. */
export function PanelActions({ device, mayWork, openForm, acknowledge, close }: Props) {
  const { api, toasts } = useServices();
  const maySend = useRight('send');
  const [asking, setAsking] = useState<'turnOff' | 'remove'>();
  const [link, setLink] = useState('');
  const name = nameOf(device);
  const open = device.commands.length;

  const { busy: isFlashing, run: identify } = useAttempt(texts.actions.identifyFailed, async () => {
    await api.identifyDevice({ path: { DeviceID: device.deviceid } });
    toasts.show(identifiedWords(device));
  });

  async function copyLink(): Promise<void> {
    const address = `${window.location.origin}${deviceAddress(device.deviceid)}`;
    if (await copyText(address)) toasts.show(texts.actions.linkCopied);
    else setLink(address);
  }

  async function turnOff(): Promise<void> {
    const result = await api.sendToDevice({ path: { DeviceID: device.deviceid }, body: { command: 'kill' } });
    if ('killed' in result) toasts.show(texts.actions.turnedOff(result.killed));
  }

  async function remove(): Promise<void> {
    await api.removeDevice({ path: { DeviceID: device.deviceid } });
    toasts.show(texts.actions.removed(name));
    close();
  }

  const isDisabled = open === 0;
  const { acknowledge: done, turnOff: off, copyLink: copy, remove: away } = texts.actions;
  const groups = menuOf(
    [
      mayWork && { id: 'acknowledge', words: done, icon: Check, isDisabled, run: acknowledge },
      { id: 'turnOff', words: off, icon: Power, isDisabled, needs: 'send', run: () => setAsking('turnOff') },
      { id: 'link', words: copy, icon: Link, run: () => void copyLink() },
    ],
    [{ id: 'remove', words: away, icon: Trash2, needs: 'manage_devices', run: () => setAsking('remove') }],
  );
  usePaletteActions(
    [
      mayWork && { id: 'panel.identify', words: `${texts.actions.identify} ${name}`, run: identify },
      maySend && { id: 'panel.send', words: `${texts.actions.send} · ${name}`, run: openForm },
    ].filter((action) => action !== false),
  );

  return (
    <div className={styles.actions}>
      <Button words={texts.actions.send} look="primary" needs="send" onPress={openForm} />
      {mayWork && <Button words={texts.actions.identify} busy={isFlashing} onPress={identify} />}
      <Menu
        label={texts.actions.more}
        placement="bottom end"
        trigger={
          <Button aria-label={texts.actions.more}>
            <Ellipsis size={20} aria-hidden="true" />
          </Button>
        }
        groups={groups}
      />
      <ConfirmDialog
        title={texts.actions.turnOffTitle(name)}
        body={texts.actions.turnOffBody(open)}
        confirm={texts.actions.turnOffConfirm}
        danger
        isOpen={asking === 'turnOff'}
        onConfirm={turnOff}
        onClose={() => setAsking(undefined)}
      />
      <ConfirmDialog
        title={texts.actions.removeTitle(name)}
        body={texts.actions.removeBody(open, device.can_press)}
        confirm={texts.actions.removeConfirm}
        danger
        isOpen={asking === 'remove'}
        onConfirm={remove}
        onClose={() => setAsking(undefined)}
      />
      <Dialog title={texts.actions.linkTitle} isOpen={link !== ''} onClose={() => setLink('')}>
        <p>{texts.actions.linkByHand}</p>
        <p className={styles.link}>{link}</p>
      </Dialog>
    </div>
  );
}

/** Describes what happens after Identify, whose command waits in the queue like any other. */
function identifiedWords(device: Device): string {
  if (!device.online) return texts.actions.identifiedUnheard;
  return device.commands.length > 0 ? texts.actions.identifiedLater : texts.actions.identified;
}
