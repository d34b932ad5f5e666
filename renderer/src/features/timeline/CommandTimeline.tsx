import type { CommandEntry, Device } from '#shared/api/device.ts';
import type { Timeline as TimelineOf } from '#shared/api/history.ts';
import { ledStyle } from '../../device/Led.tsx';
import { useTimed } from '../../station/time.ts';
import { texts } from '../../ui/texts.ts';
import { ledOf } from '../../device/commandWords.ts';
import { countWaitingBefore, nowWords } from './nowWords.ts';
import { NowStep, Timeline } from './Timeline.tsx';

/** `device`: undefined where it is gone. */
type Props = { timeline: TimelineOf; device: Device | undefined; title?: string };

/** What happened to a command, from its request to the delivery, and what it waits for now. */
export function CommandTimeline({ timeline, device, title }: Props) {
  const entry = device?.commands.find(({ command_id }) => command_id === timeline.command_id);
  const hasNoNonce = entry === undefined && timeline.nonce === '' && timeline.callbacks.length === 0;
  const notes = [...(hasNoNonce ? [texts.why.noCallback] : []), ...(owesNone(timeline) ? [texts.why.noneOwed] : [])];
  return (
    <Timeline
      timeline={timeline}
      {...(title === undefined ? {} : { title })}
      now={device !== undefined && entry !== undefined && <Now entry={entry} device={device} />}
      notes={notes}
    />
  );
}

/** Whether it ended in a way that is told, and nothing was to be told. */
function owesNone({ nonce, callbacks, callbacks_kept: areKept, state }: TimelineOf): boolean {
  return areKept && nonce !== '' && callbacks.length === 0 && (state === 'acknowledged' || state === 'timedOut');
}

/** What an open command waits for at this moment. */
function Now({ entry, device }: { entry: CommandEntry; device: Device }) {
  const before = countWaitingBefore(device, entry.command_id);
  const words = useTimed((now) => nowWords(entry, { before, isOnline: device.online }, now));
  return <NowStep words={words} style={ledStyle(ledOf(entry.command, entry.color))} />;
}
