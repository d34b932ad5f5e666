import { useState } from 'react';
import { useAct } from '../../useAct.ts';
import { ApiError } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';

const words = texts.settings.updates.dialog;

type Props = {
  version: string;
  isDownloaded: boolean;
  /** Whether this version has failed to start on this station. */
  hasFailed: boolean;
  /**
   * Installs the version. Unless `insist` is true, rejects with an error about the field `/insist` while something is
   * lit or undelivered.
   */
  install(insist: boolean): Promise<void>;
  onClose(): void;
};

/** Explains an installation before it begins. If lights are on or callbacks are undelivered, asks whether to install anyway. */
export function InstallDialog({ version, isDownloaded, hasFailed, install, onClose }: Props) {
  const [isRefused, setIsRefused] = useState(false);
  const start = useAct(async () => {
    try {
      await install(isRefused);
    } catch (error) {
      setIsRefused(error instanceof ApiError && error.fields.some(({ path }) => path === '/insist'));
      throw error;
    }
    onClose();
  });

  return (
    <Dialog
      title={words.title(version)}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button words={texts.frame.cancel} onPress={onClose} />
          <Button look="primary" busy={start.busy} onPress={() => start.run()} autoFocus>
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
      <Failure>{start.status === 'failed' && start.failure}</Failure>
    </Dialog>
  );
}
