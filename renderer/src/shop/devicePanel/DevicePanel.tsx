import { ArrowLeft, X } from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { Device } from '#shared/api/device.ts';
import { useDevice } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import * as texts from '../../words/texts.ts';
import { useToasts } from '../toasts.ts';
import { DeviceFacts } from './DeviceFacts.tsx';
import parts from '../../kit/parts.module.css';
import styles from './DevicePanel.module.css';
import { takePanelFocus } from '../../station/panelFocus.ts';

const PanelContent = lazy(async () => {
  const { PanelContent: component } = await import('./PanelContent.tsx');
  return { default: component };
});

/** The panel of a device, with what the device is doing, and actions. */
export function DevicePanel({ deviceid, close }: { deviceid: string; close(): void }) {
  const device = useDevice(deviceid);
  const toasts = useToasts();
  // Keep the tab, such as History, when a different device is opened.
  const [tab, setTab] = useState('now');
  // Keep the panel of a removed device with its last known state, so that typed input is not lost.
  const [known, setKnown] = useState<Device>();
  if (device !== undefined && device !== known) setKnown(device);
  const shown = device ?? (known?.deviceid === deviceid ? known : undefined);
  const name = shown === undefined ? deviceid : nameOf(shown);
  // Keep the function while the device is the same: a new one would be called at each update and move the focus during typing.
  const title = useCallback((element: HTMLElement | null) => focusHere(element, deviceid), [deviceid]);
  return (
    <aside
      className={styles.panel}
      aria-label={texts.panel.label(name)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        close();
        const field = event.target instanceof HTMLInputElement ? event.target : undefined;
        if (field !== undefined && field.value !== '') toasts.show(texts.panel.kept);
      }}
    >
      <header className={styles.head}>
        <Button look="icon" aria-label={texts.panel.back} onPress={close}>
          <ArrowLeft size={20} aria-hidden="true" />
        </Button>
        <h2 key={deviceid} ref={title} tabIndex={-1} className={`${parts.clip} ${styles.title}`}>
          {name}
        </h2>
        <Button look="icon" aria-label={texts.panel.close} onPress={close}>
          <X size={20} aria-hidden="true" />
        </Button>
      </header>
      {shown === undefined ? (
        <EmptyState
          title={texts.panel.goneTitle}
          body={`${texts.panel.gone(deviceid)} ${texts.panel.goneHint}`}
          action={<Button onPress={close}>{texts.panel.back}</Button>}
        />
      ) : (
        // Show the name immediately: the code of the content is large and loads later.
        <Suspense fallback={<DeviceFacts device={shown} />}>
          <PanelContent
            key={deviceid}
            device={shown}
            isKnown={device !== undefined}
            tab={tab}
            setTab={setTab}
            close={close}
          />
        </Suspense>
      )}
    </aside>
  );
}

/** Focuses the panel when somebody opens it, but not when the page loads with the panel's address. */
function focusHere(title: HTMLElement | null, deviceid: string): void {
  if (title === null) return;
  const go = () => title.focus({ preventScroll: true });
  // Wait for a closing overlay, which first returns the focus.
  if (takePanelFocus(deviceid)) requestAnimationFrame(go);
  else if (document.activeElement !== document.body) go();
}
