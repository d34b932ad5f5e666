import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import type { DeviceRequest } from '#shared/api/device.ts';
import { writeCsv } from '#shared/lib/csv.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx';
import { saveFile } from '../../ui/download.ts';
import { LineField, SwitchField } from '../../ui/fields.tsx';
import { FormDialog, type FieldProblems } from '../../ui/FormDialog.tsx';
import { texts } from '../../ui/texts.ts';
import { readWhole } from '../devicePanel/commandDraft.ts';
import { NumberLine } from '../devicePanel/NumberLine.tsx';
import styles from './BulkDialogs.module.css';
import type { Bulk } from './useBulk.ts';

const words = texts.devices.bulk;
const FULL = 100;
const MOST_DRAWN = 100;

/** What is asked before many devices are changed. */
export type BulkQuestion = { kind: 'settings' | 'kill' | 'statics' | 'remove'; deviceids: readonly string[] };

type Props = {
  question: BulkQuestion;
  /** Commands that are lit or wait at these devices. */
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
        // It goes on behind the dialog, with how far it is.
        void bulk.run(kind, deviceids);
      }}
      onClose={close}
    />
  );
}

type SettingsProps = { many: number; change(request: DeviceRequest): void; close(): void };

function SettingsDialog({ many, change, close }: SettingsProps) {
  const [brightness, setBrightness] = useState('');
  const [withNonce, setWithNonce] = useState(false);
  const [nonce, setNonce] = useState('');

  function check(): FieldProblems {
    const percent = readWhole(brightness);
    if (brightness.trim() === '') return withNonce ? {} : { brightness: words.nothing };
    return percent === undefined || percent > FULL ? { brightness: texts.deviceSettings.percent } : {};
  }

  return (
    <FormDialog
      title={words.settingsTitle(many)}
      submit={words.submit}
      typed={`${brightness}\n${withNonce}\n${nonce}`}
      check={check}
      save={async () => {
        const percent = readWhole(brightness);
        change({
          ...(percent === undefined ? {} : { brightness: percent }),
          ...(withNonce ? { unsolicitedNonce: nonce } : {}),
        });
        close();
        return Promise.resolve();
      }}
      onClose={close}
    >
      <p>{words.settingsLead}</p>
      <NumberLine
        name="brightness"
        label={texts.deviceSettings.brightness}
        hint={texts.deviceSettings.brightnessHint}
        value={brightness}
        onChange={setBrightness}
        step={10}
        most={FULL}
      />
      <SwitchField label={words.changeNonce} value={withNonce} onChange={setWithNonce} />
      {withNonce && (
        <LineField
          name="unsolicitedNonce"
          label={texts.deviceSettings.unsolicitedNonce}
          help={texts.deviceSettings.unsolicitedHint}
          value={nonce}
          onChange={setNonce}
          autoComplete="off"
        />
      )}
    </FormDialog>
  );
}

type ResultProps = { outcome: NonNullable<Bulk['outcome']>; nameOf(deviceid: string): string; close(): void };

/** What did not work, device by device. */
export function BulkResult({ outcome: { done, failed, left, isCancelled }, nameOf, close }: ResultProps) {
  const { result } = words;

  function save(): void {
    const rows = [
      ...done.map((deviceid) => [deviceid, result.states.done, '']),
      ...failed.map((each) => [each.deviceid, result.states.failed, each.words]),
      ...left.map((deviceid) => [deviceid, result.states.left, '']),
    ].map(([deviceid = '', ...rest]) => [deviceid, nameOf(deviceid), ...rest]);
    saveFile('results.csv', 'text/csv;charset=utf-8', writeCsv([['deviceid', 'name', 'result', 'detail'], ...rows]));
  }

  return (
    <Dialog
      title={isCancelled ? result.cancelled : result.title}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={save}>
            <FileSpreadsheet size={16} aria-hidden="true" />
            {result.csv}
          </Button>
          <Button look="primary" onPress={close} autoFocus>
            {result.seen}
          </Button>
        </>
      }
    >
      <p>
        {result.summary(done.length, failed.length, left.length)} {result.kept}
      </p>
      {failed.length > 0 && (
        <ul className={styles.list} aria-label={result.list}>
          {failed.slice(0, MOST_DRAWN).map((each) => (
            <li key={each.deviceid}>
              <strong>{nameOf(each.deviceid)}</strong> {each.words}
            </li>
          ))}
          {failed.length > MOST_DRAWN && <li>{result.more(failed.length - MOST_DRAWN)}</li>}
        </ul>
      )}
    </Dialog>
  );
}
