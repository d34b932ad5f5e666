import { DEVICE, startRig, statics, THREE_BUTTONS, type Rig } from '../integration/turboLinkRig.ts';

/** Devices with a background, and their first, full refresh done. */
export async function startReady(): Promise<Rig> {
  const rig = await startRig();
  for (const device of [DEVICE, THREE_BUTTONS]) rig.turbos.want(device, statics('shelf'));
  await rig.clock.advance(2_000);
  rig.forgetPast();
  return rig;
}
