import type { CommandEntry, Device } from '#shared/api/device.ts';
import type { Timeline as TimelineOf } from '#shared/api/history.ts';
import { ledOf } from '../device/commandWords.ts';
import { ledStyle } from '../device/Led.tsx';
import { useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import * as texts from '../../words/texts.ts';
import { LoadedTimeline, useTimeline, countWaitingBefore, NowStep, nowWords, Timeline } from './Timeline.tsx';

type Props = {
  commandId: string;
  device: Device;
  /** Title of the timeline. Not needed if another element names the timeline. */
  title?: string;
};

/**
 * Loads and shows the timeline of a command. Reloads it at each event of the command, until the command's callbacks
 * are delivered.
 */
export function WhyLit({ commandId, device, title }: Props) {
  const { api } = useStationContext();
  const entry = device.commands.find(({ command_id }) => command_id === commandId);
  const version = entry === undefined ? 'over' : JSON.stringify([entry, device.commands[0] === entry]);
  const loaded = useTimeline(
    ['timeline', commandId],
    () => api.getTimeline({ path: { command_id: commandId } }),
    version,
  );
  const titled = title === undefined ? {} : { title };
  return (
    <LoadedTimeline loaded={loaded} {...titled}>
      {(timeline) => <CommandTimeline timeline={timeline} device={device} {...titled} />}
    </LoadedTimeline>
  );
}

/** Data of a timeline. `device` is undefined if the device was removed. */
type CommandTimelineProps = { timeline: TimelineOf; device: Device | undefined; title?: string };

/** The timeline of a command from its request to the delivery of its callbacks, and what the command waits for now. */
export function CommandTimeline({ timeline, device, title }: CommandTimelineProps) {
  const entry = device?.commands.find(({ command_id }) => command_id === timeline.command_id);
  const hasNoNonce = entry === undefined && timeline.nonce === '' && timeline.callbacks.length === 0;
  const notes = [...(hasNoNonce ? [texts.why.noCallback] : []), ...(owesNone(timeline) ? [texts.why.noneOwed] : [])];
  return (
    <Timeline
      timeline={timeline}
      {...(title === undefined ? {} : { title })}
      orderNumber={timeline.command.order_number ?? undefined}
      now={device !== undefined && entry !== undefined && <Now entry={entry} device={device} />}
      notes={notes}
    />
  );
}

/** Whether the command ended in a way that usually causes a callback, but no callback was due. */
function owesNone({ nonce, callbacks, callbacks_kept: areKept, state }: TimelineOf): boolean {
  return areKept && nonce !== '' && callbacks.length === 0 && (state === 'acknowledged' || state === 'timedOut');
}

/** A step that shows what an open command is waiting for. */
function Now({ entry, device }: { entry: CommandEntry; device: Device }) {
  const before = countWaitingBefore(device, entry.command_id);
  const words = useTimed((now) => nowWords(entry, { before, isOnline: device.online }, now));
  return <NowStep words={words} style={ledStyle(ledOf(entry.command, entry.color))} />;
}
