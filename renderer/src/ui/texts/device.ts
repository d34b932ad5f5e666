import type { Arrow } from '#shared/screen/content.ts';

export const device = {
  notHeard: 'Not heard yet',
  blank: 'Blank screen: the device has not been heard yet',
  waiting: (count: number) => `+${count} waiting`,
  silent: (ago: string) => `Silent ${ago}`,
  silentNow: 'Silent now',
  offline: 'Offline',
  battery: (percent: number) => `Battery ${percent} %`,
  unlit: 'Not lit',
  steady: (color: string) => `Lit ${color}`,
  blinking: (color: string) => `Blinking ${color}`,
  front: (name: string) => `Front button of ${name}`,
  plus: (name: string) => `Plus button of ${name}`,
  minus: (name: string) => `Minus button of ${name}`,
  pressHint: 'Click, or Enter: short press. Hold, or Shift+Enter: long press.',
  pressing: 'Pressing…',
  pressed: 'Pressed',
  longPressed: 'Long press',
  pressFailed: 'The press did not arrive.',
  dismiss: 'Dismiss',
} as const;

export const colors = {
  R: 'red',
  G: 'green',
  B: 'blue',
  Y: 'yellow',
  C: 'cyan',
  M: 'magenta',
  W: 'white',
  O: 'orange',
  P: 'pink',
} as Readonly<Record<string, string>>;

export const colorOther = (hex: string) => `colour ${hex}`;

export const arrows = {
  left: 'left',
  right: 'right',
  top: 'top',
  bottom: 'bottom',
  topleft: 'top left',
  topright: 'top right',
  bottomleft: 'bottom left',
  bottomright: 'bottom right',
} satisfies Record<Arrow, string>;

export const screen = {
  shows: (words: string) => `Screen: ${words}`,
  blank: 'Screen: blank',
  quantity: (quantity: number) => `quantity ${quantity}`,
  arrow: (direction: string) => `arrow ${direction}`,
  barcode: (text: string) => `barcode ${text}`,
  qrcode: (text: string) => `QR code ${text}`,
} as const;
