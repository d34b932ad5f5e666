import { GO_ON } from '../../electron/server/copier/copyJob.ts';
import { doCopyJob } from '../../electron/server/copier/copyWork.ts';
import type { StartSideProcess } from '../../electron/server/ports.ts';

/**
 * Copies and checks backups in this process, because starting a separate process takes a quarter of a second and few tests need it. A
 * killed job runs to its end, but reports nothing.
 */
export const sideInProcess: StartSideProcess = (_file, heard) => {
  let isKilled = false;
  let isWaiting = false;
  let receive: (message: unknown) => void = () => undefined;
  const answer = (message: object): void => {
    isWaiting = false;
    setImmediate(() => receive(message));
  };
  doCopyJob({
    send(message) {
      isWaiting = true;
      if (isKilled) answer(GO_ON);
      else setImmediate(() => heard.message(message));
    },
    onMessage: (listener) => (receive = listener),
    end: () => void setImmediate(() => heard.ended(isKilled ? 'ended by SIGKILL' : 'ended with 0')),
  });
  return {
    send: (message) => (isKilled ? undefined : answer(message)),
    kill() {
      isKilled = true;
      if (isWaiting) answer(GO_ON);
    },
  };
};
