import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { DeviceFace } from '../../../renderer/src/shop/device/DeviceFace.tsx';
import { isLitNow } from '../../../renderer/src/station/conditions.ts';
import { seenLight } from '../../../renderer/src/station/seenLight.ts';
import { command, device, show, testContext } from '../support.tsx';

/** Returns a device that shows a command in this color. */
function lit(color: string, led: { hex: string; letter: string }, brightness: number): Device {
  return device('51D000:000001', {
    brightness,
    commands: [command('1', { color })],
    displayed: { command_id: '1', screen: { ...EMPTY_SCREEN, lines: [] }, led: { mode: 'blink', ...led } },
  });
}

const GREEN = { hex: '#00ff00', letter: 'G' };

function showFace(shown: Device) {
  const { container } = show(testContext(), <DeviceFace device={shown} press={() => undefined} />);
  const led = container.querySelector('[data-mode]');
  return { led, button: screen.getByRole('button', { name: /^Front button/ }) };
}

test('the LED shows its letter and is dimmed by the brightness of the device', () => {
  const { led, button } = showFace(lit('green', GREEN, 20));
  expect(led?.textContent).toBe('G');
  expect(led?.getAttribute('data-mode')).toBe('blink');
  expect(led?.getAttribute('style')).toContain('--led-glow: 0.2');
  expect(button.getAttribute('aria-label')).toContain('Blinking green, at 20 %');
});

test('at brightness 0, the LED looks off, and the device face says why', () => {
  const { led, button } = showFace(lit('green', GREEN, 0));
  expect(led?.getAttribute('data-mode')).toBe('off');
  expect(led?.textContent).toBe('');
  expect(button.getAttribute('aria-label')).toContain('the brightness of the device is 0 %');
  expect(screen.getByText('Not lit: the brightness of the device is 0 %')).toBeDefined();
});

test('a hexadecimal color ignores the brightness', () => {
  const { led, button } = showFace(lit('#00ff00', GREEN, 0));
  expect(led?.textContent).toBe('G');
  expect(led?.getAttribute('style')).toContain('--led-glow: 1');
  expect(button.getAttribute('aria-label')).toMatch(/Blinking green$/);
});

test('if the color is too dark, the LED looks off, and the device face says why', () => {
  const { led } = showFace(lit('#070707', { hex: '#000000', letter: '' }, 100));
  expect(led?.getAttribute('data-mode')).toBe('off');
  expect(screen.getByText('Not lit: the color is too dark')).toBeDefined();
});

test('does not count a device as lit when its light is invisible', () => {
  expect(isLitNow(lit('green', GREEN, 1))).toBe(true);
  expect(isLitNow(lit('green', GREEN, 0))).toBe(false);
  expect(isLitNow(lit('#00ff00', GREEN, 0))).toBe(true);
  expect(isLitNow(lit('black', { hex: '#000000', letter: '' }, 100))).toBe(false);
  expect(seenLight(device('51D000:000001'))).toBeUndefined();
});
