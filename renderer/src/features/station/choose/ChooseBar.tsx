import { ListChecks, PowerOff, Send, SunMedium } from 'lucide-react';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { findDevice } from '#shared/api/reducer.ts';
import { sentenceOf } from '../../../words/apiError.ts';
import { useStationContext } from '../../../station/context.ts';
import { nameOf } from '../../../station/places.ts';
import styles from '../../../kit/list/BulkBar.module.css';
import { runAll } from '../../../kit/list/bulkRun.ts';
import { type BulkFailure, failureWords } from '../../../shop/sendInParts.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../../kit/dialog/Dialog.tsx';
import { Failure } from '../../../kit/feedback/EmptyState.tsx';
import parts from '../../../kit/parts.module.css';
import { Progress } from '../../../kit/feedback/Progress.tsx';
import * as texts from '../../../words/texts.ts';
import { useToasts } from '../../../shop/toasts.ts';
import { useToastOffset } from '../../../kit/feedback/useToastOffset.ts';
import { useLostFocus } from '../useStationKeys.ts';

const SendDialog = lazy(async () => {
  const { SendDialog: component } = await import('./SendDialog.tsx');
  return { default: component };
});

type Props = { deviceids: readonly string[]; all(): void; clear(): void; finish(): void };

/** Shows the number of chosen devices, with actions on them. */
export function ChooseBar({ deviceids, all, clear, finish }: Props) {
  const { api, store } = useStationContext();
  const toasts = useToasts();
  const bar = useLostFocus<HTMLElement>();
  useToastOffset(bar);
  const [asking, setAsking] = useState<'send' | 'kill'>();
  const [flashing, setFlashing] = useState<{ done: number; all: number }>();
  const [failure, setFailure] = useState('');
  const cancelled = useRef(false);
  const none = deviceids.length === 0;

  function find(deviceid: string) {
    return findDevice(store.getState().station?.devices ?? [], deviceid);
  }

  function nameHere(deviceid: string): string {
    const device = find(deviceid);
    return device === undefined ? deviceid : nameOf(device);
  }

  function report(failures: readonly BulkFailure[], count: number, done: string): void {
    setFailure(failures.length === 0 ? '' : failureWords(failures, count));
    if (failures.length === 0) toasts.show(done);
  }

  async function kill(): Promise<void> {
    const results = await api.sendMany(deviceids.map((deviceid) => ({ deviceid, command: 'kill' })));
    const failures = results
      .filter(({ status }) => status >= 300)
      .map(({ deviceid, detail }) => ({ name: nameHere(deviceid), words: detail ?? texts.failure.other }));
    report(failures, deviceids.length, texts.choose.killed(deviceids.length));
  }

  async function identify(): Promise<void> {
    cancelled.current = false;
    setFailure('');
    setFlashing({ done: 0, all: deviceids.length });
    const failed = await runAll(
      deviceids,
      (deviceid) => api.identifyDevice({ path: { DeviceID: deviceid } }),
      (done) => setFlashing({ done, all: deviceids.length }),
      () => cancelled.current,
    );
    setFlashing(undefined);
    const failures = failed.map(({ item, error }) => ({
      name: nameHere(item),
      words: sentenceOf(error),
    }));
    if (!cancelled.current) report(failures, deviceids.length, texts.choose.identified(deviceids.length));
  }

  const commands = asking === 'kill' ? deviceids.reduce((sum, id) => sum + (find(id)?.commands.length ?? 0), 0) : 0;
  return (
    <section ref={bar} tabIndex={-1} className={styles.bar} aria-label={texts.choose.bar}>
      <div className={styles.words}>
        <p role="status" className={styles.count}>
          {none ? texts.choose.none : texts.choose.count(deviceids.length)}
        </p>
        <Failure>{failure}</Failure>
      </div>
      {flashing === undefined ? (
        <div className={parts.row}>
          <Button icon={ListChecks} look="quiet" onPress={all} aria-keyshortcuts="Control+A">
            {texts.choose.all}
          </Button>
          {!none && (
            <>
              <Button look="quiet" onPress={clear}>
                {texts.choose.clear}
              </Button>
              <Button icon={SunMedium} onPress={() => void identify()}>
                {texts.choose.identify}
              </Button>
              <Button icon={PowerOff} onPress={() => setAsking('kill')}>
                {texts.choose.kill}
              </Button>
              <Button icon={Send} look="primary" onPress={() => setAsking('send')}>
                {texts.choose.send}
              </Button>
            </>
          )}
          <Button onPress={finish}>{texts.choose.end}</Button>
        </div>
      ) : (
        <div className={styles.progress}>
          <Progress
            label={texts.choose.identifying(flashing.all)}
            value={flashing.done}
            max={flashing.all}
            onCancel={() => {
              cancelled.current = true;
            }}
          />
        </div>
      )}
      {asking === 'send' && (
        <Suspense fallback={null}>
          <SendDialog deviceids={deviceids} close={() => setAsking(undefined)} />
        </Suspense>
      )}
      <ConfirmDialog
        title={texts.choose.killTitle(deviceids.length)}
        body={texts.choose.killBody(commands)}
        confirm={texts.choose.kill}
        danger
        isOpen={asking === 'kill'}
        onConfirm={kill}
        onClose={() => setAsking(undefined)}
      />
    </section>
  );
}

const NOBODY: ReadonlySet<string> = new Set();

type Chosen = {
  chosen: ReadonlySet<string>;
  /** Adds or removes a device. If `between` is set, adds all devices from the last chosen one to this one. */
  choose(deviceid: string, between: ((one: string, other: string) => readonly string[]) | undefined): void;
  set(deviceids: Iterable<string>): void;
  clear(): void;
};

/** Tracks the devices chosen for a bulk action. */
export function useChosen(): Chosen {
  const [chosen, setChosen] = useState(NOBODY);
  const last = useRef<string>(undefined);

  const choose = useCallback<Chosen['choose']>((deviceid, between) => {
    const from = last.current;
    last.current = deviceid;
    setChosen((before) => {
      const next = new Set(before);
      if (between !== undefined && from !== undefined) for (const each of between(from, deviceid)) next.add(each);
      else if (!next.delete(deviceid)) next.add(deviceid);
      return next;
    });
  }, []);
  const set = useCallback((deviceids: Iterable<string>) => setChosen(new Set(deviceids)), []);
  const clear = useCallback(() => {
    last.current = undefined;
    setChosen(NOBODY);
  }, []);

  return { chosen, choose, set, clear };
}
