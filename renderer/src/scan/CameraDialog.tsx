import { Flashlight, FlashlightOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../kit/button/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { Failure } from '../kit/feedback/EmptyState.tsx';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';
import { type Camera, type CameraState, grabFrame, startCamera } from './camera.ts';
import styles from './CameraDialog.module.css';
import { openCodeReader } from './codeReader.ts';
import { windowScans } from './windowScans.ts';

const words = texts.scanner.camera;

/**
 * A dialog that scans with the camera of a phone or tablet. Codes are reported to the page behind the dialog. Closing
 * the dialog stops the camera.
 */
export function CameraDialog({ onClose }: { onClose(): void }) {
  const [starts, setStarts] = useState(0);
  return (
    <Dialog title={words.title} isOpen onClose={onClose}>
      <Picture key={starts} again={() => setStarts(starts + 1)} />
    </Dialog>
  );
}

function Picture({ again }: { again(): void }) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useRef<Camera>(undefined);
  const [state, setState] = useState<CameraState>({ kind: 'starting' });
  const [seen, setSeen] = useState('');

  useEffect(() => {
    if (video.current === null) return undefined;
    const started = startCamera({
      mediaDevices: navigator.mediaDevices,
      isSecure: window.isSecureContext,
      document,
      video: video.current,
      grab: grabFrame(document.createElement('canvas')),
      openReader: () => openCodeReader(window),
      setTimer(delayMs, run) {
        const timer = window.setTimeout(run, delayMs);
        return () => window.clearTimeout(timer);
      },
      seen(code) {
        setSeen(code);
        windowScans().seen(code);
      },
      changed: setState,
    });
    camera.current = started;
    return started.stop;
  }, []);

  const torch = state.kind === 'on' ? state.torch : undefined;
  const isOff = state.kind === 'hidden' || state.kind === 'failed';
  return (
    <>
      <div className={styles.picture} data-off={isOff || undefined}>
        <video ref={video} className={styles.video} muted playsInline aria-label={words.aim} />
        {!isOff && <div className={styles.frame} aria-hidden="true" />}
      </div>
      <p role="status" className={parts.strong}>
        {state.kind === 'starting' && words.starting}
        {state.kind === 'on' && (seen === '' ? words.aim : words.seen(seen))}
        {state.kind === 'hidden' && words.stopped}
      </p>
      <Failure>{state.kind === 'failed' ? sentenceOf(state.failure, state.reason) : ''}</Failure>
      <div className={parts.row}>
        {torch !== undefined && (
          <Button icon={torch ? FlashlightOff : Flashlight} onPress={() => void camera.current?.setTorch(!torch)}>
            {torch ? words.torchOff : words.torchOn}
          </Button>
        )}
        {isOff && <Button onPress={again}>{words.again}</Button>}
      </div>
    </>
  );
}

function sentenceOf(failure: keyof typeof words.failures, reason: string): string {
  const says = words.failures[failure];
  return typeof says === 'function' ? says(reason) : says;
}
