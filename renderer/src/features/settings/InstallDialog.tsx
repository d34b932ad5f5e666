import { useState } from 'react';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';

const words = texts.settings.updates.dialog;

type Props = {
  version: string;
  isDownloaded: boolean;
  /** Whether this version failed to start here. */
  hasFailed: boolean;
  /** Rejects with a problem of `/insist` while something is lit or undelivered, unless `insist`. */
  install(insist: boolean): Promise<void>;
  onClose(): void;
};

/** Explains an installation before it begins, with what is lit or undelivered. */
export function InstallDialog({ version, isDownloaded, hasFailed, install, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [isRefused, setIsRefused] = useState(false);

  async function go(): Promise<void> {
    setBusy(true);
    setFailure('');
    try {
      await install(isRefused);
      onClose();
    } catch (error) {
      setIsRefused(error instanceof ApiError && error.fields.some(({ path }) => path === '/insist'));
      setFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={words.title(version)}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button words={texts.frame.cancel} onPress={onClose} />
          <Button look="primary" busy={busy} onPress={() => void go()} autoFocus>
            {isRefused ? words.anyway : words.confirm}
          </Button>
        </>
      }
    >
      {hasFailed && <p className={parts.care}>{words.again}</p>}
      {!isDownloaded && <p>{words.download}</p>}
      <p>{words.restarts}</p>
      <p>{words.stays}</p>
      <p>{words.back}</p>
      <Failure>{failure}</Failure>
    </Dialog>
  );
}
