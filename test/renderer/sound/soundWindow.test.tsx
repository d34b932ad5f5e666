// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { FakeAudioContext } from './soundSupport.ts';
import { show, testContext } from '../support.tsx';

/** Loads the sound modules again, because the page creates its speaker only once. */
async function freshPage() {
  vi.resetModules();
  FakeAudioContext.made = [];
  Object.assign(window, { AudioContext: FakeAudioContext });
  const [{ SoundButton, SoundSettings }, { playSound, useSoundPreview }, { soundChoice }, sounds] = await Promise.all([
    import('../../../renderer/src/sound/SoundControls.tsx'),
    import('../../../renderer/src/sound/playSound.ts'),
    import('../../../renderer/src/sound/choice.ts'),
    import('../../../renderer/src/sound/windowSounds.ts'),
  ]);
  return { SoundButton, SoundSettings, playSound, useSoundPreview, soundChoice, sounds };
}

const begun = () => FakeAudioContext.made.flatMap((context) => context.begun);
const speakerButton = () => screen.getByRole('button', { name: /play the sounds of devices here$/i });

beforeEach(() => {
  window.localStorage.clear();
  FakeAudioContext.allowed = true;
});

test('sounds are off until the speaker button is pressed, and the browser remembers the choice', async () => {
  const { SoundButton, sounds, soundChoice } = await freshPage();
  const context = testContext();
  const end = sounds.startSounds(context.store);
  show(context, <SoundButton />);
  expect(speakerButton().getAttribute('aria-pressed')).toBe('false');
  expect(FakeAudioContext.made).toHaveLength(0);
  await act(async () => fireEvent.click(speakerButton()));
  expect(speakerButton().getAttribute('aria-pressed')).toBe('true');
  expect(soundChoice.get().on).toBe(true);
  expect(FakeAudioContext.made).toHaveLength(1);
  expect(window.localStorage.getItem('pickstation.sound')).toBe('on');
  end();

  const again = await freshPage();
  expect(again.soundChoice.get().on).toBe(true);
  again.soundChoice.set({ on: false });
  expect(window.localStorage.getItem('pickstation.sound')).toBeNull();
});

test('a reloaded page shows that it waits for a click, and a click on the speaker then does not switch sounds off', async () => {
  window.localStorage.setItem('pickstation.sound', 'on');
  FakeAudioContext.allowed = false;
  const { SoundButton, sounds } = await freshPage();
  const context = testContext();
  const end = sounds.startSounds(context.store);
  show(context, <SoundButton />);
  expect(screen.getByText('Click to hear')).toBeDefined();
  FakeAudioContext.allowed = true;
  await act(async () => fireEvent.click(speakerButton()));
  expect(screen.queryByText('Click to hear')).toBeNull();
  expect(speakerButton().getAttribute('aria-pressed')).toBe('true');
  await act(async () => fireEvent.click(speakerButton()));
  expect(speakerButton().getAttribute('aria-pressed')).toBe('false');
  end();
});

test('adopts a choice made in another tab', async () => {
  const { soundChoice, sounds } = await freshPage();
  const end = sounds.startSounds(testContext().store);
  window.localStorage.setItem('pickstation.sound', 'on');
  window.localStorage.setItem('pickstation.volume', '20');
  window.dispatchEvent(new StorageEvent('storage', { key: 'pickstation.sound' }));
  expect(soundChoice.get()).toEqual({ on: true, volume: 20 });
  window.localStorage.setItem('pickstation.volume', 'loud');
  window.dispatchEvent(new StorageEvent('storage', { key: 'pickstation.volume' }));
  expect(soundChoice.get()).toEqual({ on: true, volume: 70 });
  end();
});

test('the settings play a tune at the chosen volume and can stop it', async () => {
  const { SoundSettings } = await freshPage();
  show(testContext(), <SoundSettings />);
  fireEvent.change(screen.getByRole('slider', { name: 'Volume' }), { target: { value: '100' } });
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try it' })));
  expect(begun()).toHaveLength(1);
  expect(begun()[0]?.loudness).toBeCloseTo(0.66);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Stop' })));
  expect(begun()[0]?.stopped).toBe(true);
  expect(screen.getByRole('button', { name: 'Try it' })).toBeDefined();
});

test('plays a sound by name or encoding, even while sounds are off', async () => {
  const { playSound } = await freshPage();
  expect(playSound('100,c5,2,p,1')?.durationMs).toBe(300);
  expect(playSound('ta-da')?.durationMs).toBe(1_680);
  expect(playSound('15,c5,65535')?.durationMs).toBe(60_000);
  expect(begun()).toHaveLength(3);
  for (const nothing of ['none', '', 'ding dong', '100,h5,2']) expect(playSound(nothing), nothing).toBeUndefined();
  expect(FakeAudioContext.made).toHaveLength(1);
});

test('plays one preview at a time, until it ends or its component unmounts', async () => {
  const { useSoundPreview } = await freshPage();
  function Preview() {
    const { isPlaying, play } = useSoundPreview();
    return (
      <>
        <p>{isPlaying ? 'plays' : 'silent'}</p>
        {['beep', 'taps', 'ding dong'].map((sound) => (
          <button key={sound} type="button" onClick={() => play(sound)}>
            {sound}
          </button>
        ))}
      </>
    );
  }
  const { unmount } = render(<Preview />);
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  press('beep');
  expect(screen.getByText('plays')).toBeDefined();
  press('taps');
  expect(begun().map(({ stopped }) => stopped)).toEqual([true, false]);
  expect(screen.getByText('plays')).toBeDefined();
  act(() => begun()[1]?.finish());
  expect(screen.getByText('silent')).toBeDefined();
  press('ding dong');
  expect(screen.getByText('silent')).toBeDefined();
  press('taps');
  unmount();
  expect(begun().at(-1)?.stopped).toBe(true);
});

test('hides the speaker button once Web Audio turns out to be missing', async () => {
  const { SoundButton, playSound } = await freshPage();
  Reflect.deleteProperty(window, 'AudioContext');
  show(testContext(), <SoundButton />);
  act(() => expect(playSound('beep')).toBeUndefined());
  expect(screen.queryByRole('button', { name: 'Play the sounds of devices here' })).toBeNull();
});
