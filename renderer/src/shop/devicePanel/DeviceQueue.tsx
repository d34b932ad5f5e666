import { X } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Tooltip, TooltipTrigger } from 'react-aria-components';
import type { CommandEntry, Device, DeviceRequest } from '#shared/api/device.ts';
import { contentWords, detailWords, fullWords, ledOf, linesOf } from '../device/commandWords.ts';
import { LedDot } from '../device/Led.tsx';
import { OriginLink } from '../device/OriginLink.tsx';
import { ApiError } from '../../words/apiError.ts';
import { formatAgo, formatTimeLeft, useTimed } from '../../station/time.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { TermLink } from '../../kit/feedback/EmptyState.tsx';
import { useServices } from '../toasts.ts';
import { entryRequest } from '../composer/commandDraft.ts';
import styles from './DeviceQueue.module.css';

type Props = {
  device: Device;
  maySend: boolean;
  /** Id of the command whose timeline is shown. */
  followed: string | undefined;
  follow(commandId: string): void;
};

/** The queue of a device, with the shown command first. Commands can be removed, and link to their origin. */
export function DeviceQueue({ device, maySend, followed, follow }: Props) {
  const { api, toasts } = useServices();
  const [asking, setAsking] = useState<{ words: string; entry: CommandEntry }>();

  async function take({ command_id: commandId }: CommandEntry, words: string, undo?: DeviceRequest): Promise<void> {
    try {
      await api.removeCommand({ path: { DeviceID: device.deviceid, command_id: commandId } });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
      return void toasts.show(texts.queue.takenOver);
    }
    if (undo === undefined) return void toasts.show(texts.queue.taken(words));
    toasts.show(`${texts.queue.taken(words)} ${texts.queue.sendAgain}`, {
      undo: async () => void (await api.sendToDevice({ path: { DeviceID: device.deviceid }, body: undo })),
    });
  }

  function ask(entry: CommandEntry, words: string): void {
    const undo = undoOf(device, entry);
    if (undo === undefined) return setAsking({ words, entry });
    take(entry, words, undo).catch((error: unknown) => {
      toasts.fail(texts.queue.failed, error);
    });
  }

  return (
    <section className={parts.column2}>
      <h3 className={parts.title}>{texts.queue.title}</h3>
      {device.commands.length === 0 ? (
        <p className={parts.quiet}>
          {texts.queue.empty} <TermLink term="static" />
        </p>
      ) : (
        <ol className={styles.list}>
          {device.commands.map((entry, place) => (
            <Entry
              key={entry.command_id}
              entry={entry}
              label={device.locationoverride}
              place={place}
              isFollowed={entry.command_id === followed}
              follow={() => follow(entry.command_id)}
              {...(maySend ? { take: (words: string) => ask(entry, words) } : {})}
            />
          ))}
        </ol>
      )}
      <ConfirmDialog
        title={texts.queue.takeTitle}
        body={asking === undefined ? '' : texts.queue.takeBody(asking.words)}
        confirm={texts.queue.takeConfirm}
        danger
        isOpen={asking !== undefined}
        onConfirm={async () => {
          if (asking !== undefined) await take(asking.entry, asking.words);
        }}
        onClose={() => setAsking(undefined)}
      />
    </section>
  );
}

type EntryProps = {
  entry: CommandEntry;
  label: string;
  place: number;
  isFollowed: boolean;
  follow(): void;
  take?(words: string): void;
};

function Entry({ entry, label, place, isFollowed, follow, take }: EntryProps) {
  const when = useTimed((now) => whenWords(entry, place, now));
  const words = contentWords({ lines: linesOf(entry), quantity: entry.quantity });
  return (
    <li className={styles.entry} data-followed={isFollowed || undefined}>
      <TooltipTrigger delay={400} closeDelay={0}>
        <AriaButton className={styles.what ?? ''} {...(isFollowed ? { 'aria-current': 'true' } : {})} onPress={follow}>
          <span className="visuallyHidden">{texts.queue.follow}</span>
          <LedDot led={ledOf(entry.command, entry.color)} />
          <span className={styles.words}>
            <span className={`${parts.medium} ${styles.content}`}>{words}</span>
            <span className={`${parts.small} ${styles.details}`}>{detailWords(entry, label)}</span>
          </span>
          <span className={parts.figures}>{when}</span>
        </AriaButton>
        <Tooltip className={styles.tip ?? ''} placement="bottom start" offset={4}>
          {fullWords(entry, label).map((line) => (
            <span key={line}>{line}</span>
          ))}
        </Tooltip>
      </TooltipTrigger>
      <OriginLink entry={entry} tab={0} />
      {take !== undefined && (
        <Button look="icon" aria-label={texts.queue.take(words)} onPress={() => take(words)}>
          <X size={16} aria-hidden="true" />
        </Button>
      )}
    </li>
  );
}

function whenWords(entry: CommandEntry, place: number, stationNow: number): string {
  const { unreachable_since: since } = entry;
  if (since !== null) return texts.queue.unreachable(formatAgo(stationNow - Date.parse(since)));
  if (entry.state === 'sent') return texts.queue.sent;
  if (entry.state === 'queued') return place <= 1 ? texts.queue.next : texts.queue.waiting;
  if (entry.expires_at === null) return texts.queue.noLimit;
  return formatTimeLeft(Date.parse(entry.expires_at) - stationNow);
}

/** Returns the request that restores a removed command, or undefined if the command cannot be restored exactly. */
function undoOf(device: Device, entry: CommandEntry): DeviceRequest | undefined {
  // Only the last waiting command that was addressed to the device itself can return to the same position with its
  // full time.
  const isLast = device.commands.length > 1 && device.commands.at(-1) === entry && entry.state === 'queued';
  const isDirect = entry.location === '' || entry.location === device.locationoverride;
  return isLast && isDirect ? entryRequest(entry) : undefined;
}
