import type { DeviceRequest } from '#shared/api/device.ts';
import { NO_STATICS } from '#shared/lib/requests/deviceFields.ts';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { LineField, SwitchField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import { readWhole } from '../../kit/field/readWhole.ts';
import * as texts from '../../words/texts.ts';
import { askForEach, type BulkOutcome, type BulkRun, useBulkRun } from '../../kit/list/bulkRun.ts';
import { sendInParts } from '../../shop/sendInParts.ts';
import { useServices } from '../../shop/toasts.ts';

const words = texts.places.bulk;
const FULL = 100;

/** The question to ask before many devices are changed. */
export type BulkQuestion = { kind: 'settings' | 'kill' | 'statics' | 'remove'; deviceids: readonly string[] };

type Props = {
  question: BulkQuestion;
  /** Number of open commands on these devices. */
  open: number;
  bulk: Bulk;
  close(): void;
};

export function BulkDialog({ question: { kind, deviceids }, open, bulk, close }: Props) {
  const many = deviceids.length;
  if (kind === 'settings') {
    return (
      <SettingsDialog many={many} close={close} change={(request) => void bulk.run('settings', deviceids, request)} />
    );
  }
  const asked = {
    kill: { title: words.killTitle(many), body: texts.choose.killBody(open), confirm: words.kill },
    statics: { title: words.staticsTitle(many), body: words.staticsBody, confirm: words.staticsConfirm },
    remove: { title: words.removeTitle(many), body: words.removeBody(open), confirm: words.removeConfirm },
  }[kind];
  return (
    <ConfirmDialog
      {...asked}
      danger
      isOpen
      onConfirm={() => {
        // The action continues after the dialog closes, and the bar shows its progress.
        void bulk.run(kind, deviceids);
      }}
      onClose={close}
    />
  );
}

type SettingsProps = { many: number; change(request: DeviceRequest): void; close(): void };

function SettingsDialog({ many, change, close }: SettingsProps) {
  const { draft, field } = useForm({ brightness: '', withNonce: false, unsolicitedNonce: '' });
  const { brightness, withNonce, unsolicitedNonce } = draft;

  function check(): FieldMessages {
    const percent = readWhole(brightness);
    if (brightness.trim() === '') return withNonce ? {} : { brightness: words.nothing };
    return percent === undefined || percent > FULL ? { brightness: texts.deviceSettings.percent } : {};
  }

  return (
    <FormDialog
      title={words.settingsTitle(many)}
      submit={words.submit}
      draft={draft}
      check={check}
      save={async () => {
        const percent = readWhole(brightness);
        change({
          ...(percent === undefined ? {} : { brightness: percent }),
          ...(withNonce ? { unsolicitedNonce } : {}),
        });
        close();
        return Promise.resolve();
      }}
      onClose={close}
    >
      <p>{words.settingsLead}</p>
      <NumberLine
        {...field('brightness')}
        label={texts.deviceSettings.brightness}
        hint={texts.deviceSettings.brightnessHint}
        step={10}
        most={FULL}
      />
      <SwitchField {...field('withNonce')} label={words.changeNonce} />
      {withNonce && (
        <LineField
          {...field('unsolicitedNonce')}
          label={texts.deviceSettings.unsolicitedNonce}
          help={texts.deviceSettings.unsolicitedHint}
          autoComplete="off"
        />
      )}
    </FormDialog>
  );
}

/** Topic of the toasts. A new result replaces the previous message of the same topic. */
const TOPIC = 'devices.bulk';

export type BulkKind = keyof typeof texts.places.bulk.done;

export type Bulk = BulkRun<BulkKind> & {
  /** Runs an action. `settings` are the fields to change, and are used only for the kind `settings`. */
  run(kind: BulkKind, deviceids: readonly string[], settings?: DeviceRequest): Promise<void>;
};

/**
 * Changes many devices at once. Calls `settled` with the devices to deselect: removed devices or, if the action did not succeed for all
 * devices, those for which it succeeded.
 */
export function useBulk(settled: (deviceids: readonly string[]) => void): Bulk {
  const { api, toasts } = useServices();
  const { begin, ...bulk } = useBulkRun<BulkKind>((kind, done, isWhole) => {
    if (isWhole) toasts.show(texts.places.bulk.done[kind](done.length), { topic: TOPIC });
    if (!isWhole || kind === 'remove') settled(done);
  });

  function run(kind: BulkKind, deviceids: readonly string[], settings: DeviceRequest = {}): Promise<void> {
    return begin(kind, deviceids.length, (progress, isCancelled) => {
      const send = (request: DeviceRequest) =>
        sendInParts(
          deviceids.map((deviceid) => ({ ...request, deviceid })),
          (part) => api.sendMany(part),
          progress,
          isCancelled,
        );
      const each = (ask: (deviceid: string) => Promise<unknown>) => askForEach(deviceids, ask, progress, isCancelled);
      const ways: Record<BulkKind, () => Promise<BulkOutcome>> = {
        identify: () => each((deviceid) => api.identifyDevice({ path: { DeviceID: deviceid } })),
        kill: () => send({ command: 'kill' }),
        settings: () => send(settings),
        statics: () => send(NO_STATICS),
        remove: () => each((deviceid) => api.removeDevice({ path: { DeviceID: deviceid } })),
      };
      return ways[kind]();
    });
  }

  return { ...bulk, run };
}
