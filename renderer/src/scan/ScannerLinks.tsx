import { Cable, Camera, type LucideIcon, Usb } from 'lucide-react';
import { type ComponentType, useState, useSyncExternalStore } from 'react';
import { Button } from '../kit/button/Button.tsx';
import { Failure } from '../kit/feedback/EmptyState.tsx';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';
import { ScannerChoice } from './ScannerChoice.tsx';
import type { LinkState, ScannerLink } from './scannerLink.ts';
import styles from './ScannerLinks.module.css';
import { windowScans } from './windowScans.ts';

const words = texts.scanner.links;

/** Buttons that connect scanners by serial port or HID, and one that opens the camera. */
export function ScannerLinks() {
  const scans = windowScans();
  return (
    <ul className={styles.links}>
      <Link icon={Cable} name="serial" link={scans.serial} />
      <Link icon={Usb} name="hid" link={scans.hid} />
      <CameraLink />
      <ScannerChoice />
    </ul>
  );
}

/** A button for the camera dialog, which is loaded on demand because few stations use a camera. */
function CameraLink() {
  const [dialog, setDialog] = useState<ComponentType<{ onClose(): void }> | 'loading' | 'failed'>();
  async function open(): Promise<void> {
    setDialog('loading');
    try {
      const { CameraDialog } = await import('./CameraDialog.tsx');
      setDialog(() => CameraDialog);
    } catch {
      setDialog('failed');
    }
  }
  const Dialog = typeof dialog === 'string' ? undefined : dialog;
  return (
    <Row icon={Camera} name="camera">
      <Failure>{dialog === 'failed' ? words.noCamera : ''}</Failure>
      <Button busy={dialog === 'loading'} onPress={() => void open()}>
        {words.openCamera}
      </Button>
      {Dialog !== undefined && <Dialog onClose={() => setDialog(undefined)} />}
    </Row>
  );
}

function Link({ icon, name, link }: { icon: LucideIcon; name: 'serial' | 'hid'; link: ScannerLink }) {
  const state = useSyncExternalStore(link.subscribe, link.state);
  const isConnected = state.kind === 'on' || state.kind === 'lost';
  const canConnect = state.kind !== 'missing' && state.kind !== 'insecure';
  return (
    <Row icon={icon} name={name} state={state}>
      {canConnect && (
        <Button
          aria-label={`${isConnected ? words.disconnect : words.connect}: ${words[name]}`}
          busy={state.kind === 'connecting'}
          onPress={() => void (isConnected ? link.disconnect() : link.connect())}
        >
          {isConnected ? words.disconnect : words.connect}
        </Button>
      )}
    </Row>
  );
}

type RowProps = {
  icon: LucideIcon;
  name: 'serial' | 'hid' | 'camera';
  state?: LinkState;
  children: React.ReactNode;
};

function Row({ icon: Icon, name, state, children }: RowProps) {
  return (
    <li className={styles.link}>
      <Icon size={20} strokeWidth={1.8} aria-hidden="true" />
      <div className={parts.column1}>
        <h3 className={parts.title}>{words[name]}</h3>
        <p className={parts.quiet}>{words.about[name]}</p>
        {state !== undefined && (
          <p role="status" className={state.kind === 'failed' || state.kind === 'lost' ? parts.care : parts.medium}>
            {saysOf(state)}
          </p>
        )}
      </div>
      {children}
    </li>
  );
}

function saysOf({ kind, reason = '' }: LinkState): string {
  const says = words.states[kind];
  return typeof says === 'function' ? says(/[.!?]$/.test(reason) ? reason : `${reason}.`) : says;
}
