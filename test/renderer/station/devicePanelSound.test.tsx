// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { CommandForm } from '../../../renderer/src/shop/composer/CommandForm.tsx';
import { button, ID, press } from '../frame/panelSupport.tsx';
import { FakeAudioContext } from '../sound/soundSupport.ts';
import { device, show, station, testContext } from '../support.tsx';

beforeEach(() => {
  vi.stubGlobal('AudioContext', FakeAudioContext);
  return () => vi.unstubAllGlobals();
});

const begun = () => FakeAudioContext.made.flatMap((audio) => audio.begun);
const fillIn = (value: string) =>
  act(async () => fireEvent.change(screen.getByRole('combobox', { name: /^Sound/ }), { target: { value } }));

test('a sound can be previewed before sending, until it ends, is stopped or is replaced', async () => {
  const context = testContext({ station: station(device(ID)), connection: { kind: 'live' } });
  show(context, <CommandForm deviceids={[ID]} />);
  await press(button('Add: Sound'));
  expect(button('Play the sound here').hasAttribute('disabled')).toBe(true);
  await fillIn('100,c9,2');
  expect(button('Play the sound here').hasAttribute('disabled')).toBe(true);

  await fillIn('100,c5,2');
  await press(button('Play the sound here'));
  const [first] = begun();
  expect((first?.samples.length ?? 0) / (first?.sampleRate ?? 1)).toBeCloseTo(0.2, 1);
  await act(async () => first?.finish());
  await press(button('Play the sound here'));
  await press(button('Stop the sound'));
  expect(begun()[1]?.stopped).toBe(true);

  await press(button('Play the sound here'));
  expect(begun()[2]?.stopped).toBe(false);
  await fillIn('Charge');
  expect(begun()[2]?.stopped).toBe(true);
  expect(button('Play the sound here')).toBeTruthy();
});
