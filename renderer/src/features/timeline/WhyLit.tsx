import type { Device } from '#shared/api/device.ts';
import { useStationContext } from '../../station/context.ts';
import { CommandTimeline } from './CommandTimeline.tsx';
import { LoadedTimeline } from './LoadedTimeline.tsx';
import { useTimeline } from './useTimeline.ts';

type Props = {
  commandId: string;
  device: Device;
  /** What the timeline is called where nothing else does. */
  title?: string;
};

/** Loads the timeline of one command, and again whenever something happens to it, until its callbacks are delivered. */
export function WhyLit({ commandId, device, title }: Props) {
  const { api } = useStationContext();
  const entry = device.commands.find(({ command_id }) => command_id === commandId);
  const version = entry === undefined ? 'over' : JSON.stringify([entry, device.commands[0] === entry]);
  const loaded = useTimeline(commandId, version, () => api.loadTimeline(commandId));
  const titled = title === undefined ? {} : { title };
  return (
    <LoadedTimeline loaded={loaded} {...titled}>
      {(timeline) => <CommandTimeline timeline={timeline} device={device} {...titled} />}
    </LoadedTimeline>
  );
}
