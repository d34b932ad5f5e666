export const palette = {
  title: 'Search everything',
  placeholder: 'Device, place, order, page or action',
  results: 'Results',
  escape: 'Esc',
  none: 'Nothing matches. Try a part of a label, a DeviceID or what you want to do.',
  page: 'Page',
  device: 'Device',
  theme: (word: string) => `Theme: ${word}`,
} as const;
