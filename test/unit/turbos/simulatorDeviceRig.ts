import { DEVICE, startRig, statics, THREE_BUTTONS, type Rig } from '../../integration/turboLink/turboLinkRig.ts';

/** Starts devices with a background, and waits until their first full refresh is finished. */
export async function startReady(): Promise<Rig> {
  const rig = await startRig();
  for (const device of [DEVICE, THREE_BUTTONS]) rig.turbos.want(device, statics('shelf'));
  await rig.clock.advance(2_000);
  rig.forgetPast();
  return rig;
}
