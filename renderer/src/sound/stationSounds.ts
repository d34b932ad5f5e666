import type { CommandEntry, Device } from '#shared/api/device.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { changesBetween } from '../station/deviceChanges.ts';
import type { StationState, StationStore } from '../station/live/store.ts';
import type { Playing, Speaker } from './speaker.ts';

export type SoundParts = {
  store: StationStore;
  speaker: Speaker;
  /** Returns whether this page should play sounds now. */
  isOn(): boolean;
  /** Returns the volume, from 0 to 1. */
  volume(): number;
  /** Returns this machine's time in epoch milliseconds. */
  now(): number;
};

/** Maximum number of simultaneous sounds, because more would be noise. The newest sounds play. */
export const MAX_AT_ONCE = 3;
/** Age in milliseconds above which a shown command gets no sound. Such commands arrive late, after the machine slept or in a snapshot. */
const FRESH_MS = 5_000;
/** Number of remembered commands. They are remembered so that a command that is shown again does not repeat its sound. */
const MAX_REMEMBERED = 1_000;

type Begun = { deviceid: string; command: CommandEntry };

/**
 * Plays the sound of each command while the command's device shows it, except for commands that were lit before the
 * page opened or while the connection was lost. `stop` ends this permanently; `silence` ends only the current sounds.
 */
export function startStationSounds(parts: SoundParts): { stop(): void; silence(): void } {
  const { store, speaker } = parts;
  const playing = new Map<string, { deviceid: string; sound: Playing }>();
  const heard = new Set<string>();

  function end(id: string): void {
    playing.get(id)?.sound.stop();
    playing.delete(id);
  }

  function silence(): void {
    for (const id of playing.keys()) end(id);
  }

  function play({ deviceid, command }: Begun): void {
    const id = command.command_id;
    heard.add(id);
    const [oldestHeard] = heard;
    if (heard.size > MAX_REMEMBERED && oldestHeard !== undefined) heard.delete(oldestHeard);
    const [oldest] = playing.keys();
    if (playing.size >= MAX_AT_ONCE && oldest !== undefined) end(oldest);
    const sound = speaker.play(command.sound, {
      volume: parts.volume(),
      ended() {
        if (playing.get(id)?.sound === sound) playing.delete(id);
      },
    });
    if (sound !== undefined) playing.set(id, { deviceid, sound });
  }

  const unsubscribe = store.subscribe((state, before) => {
    if (state.station === before.station) return;
    for (const [id, { deviceid }] of playing) if (shownOf(state, deviceid)?.command_id !== id) end(id);
    if (!parts.isOn() || speaker.state() !== 'ready') return;
    const begun = begunSince(before, state, parts.now()).filter(({ command }) => !heard.has(command.command_id));
    for (const each of begun.slice(-MAX_AT_ONCE)) play(each);
  });

  return {
    stop() {
      unsubscribe();
      silence();
    },
    silence,
  };
}

function shownOf({ station }: StationState, deviceid: string): CommandEntry | undefined {
  const device = station === null ? undefined : findDevice(station.devices, deviceid);
  return device && firstShown(device);
}

/** Returns the command that the device shows, which is the first in the device's queue, or undefined if there is none. */
function firstShown({ commands: [first] }: Device): CommandEntry | undefined {
  return first?.state === 'shown' ? first : undefined;
}

/** Returns the commands that have a sound and that devices have just begun to show, newest last. */
function begunSince(before: StationState, after: StationState, now: number): Begun[] {
  // Play nothing for a snapshot after a lost connection, because it does not say when the state changed.
  if (before.station === null || after.station === null || before.connection.kind !== 'live') return [];
  const stationNow = now - after.clockSkewMs;
  const begun: (Begun & { at: number })[] = [];
  for (const change of changesBetween(before.station.devices, after.station.devices)) {
    const command = change.after && firstShown(change.after);
    if (command === undefined || command.sound === '' || change.before === undefined) continue;
    if (firstShown(change.before)?.command_id === command.command_id) continue;
    const at = Date.parse(command.shown_at ?? '');
    if (Math.abs(stationNow - at) <= FRESH_MS) begun.push({ deviceid: change.deviceid, command, at });
  }
  return begun.toSorted((a, b) => a.at - b.at);
}
