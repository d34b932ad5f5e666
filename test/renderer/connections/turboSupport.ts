import type { TurboLink } from '#shared/api/turbo.ts';

/** A serial port that cannot be opened. */
export const LINK: TurboLink = {
  id: '4',
  kind: 'usb',
  url: '',
  name: '',
  key_set: false,
  places: [],
  problems: [],
  path: '/dev/ttyUSB3',
  vendor_id: '',
  product_id: '',
  serial_number: '',
  baud_rate: 921_600,
  flow_control: false,
  step: 'waiting',
  problem: '/dev/ttyUSB3 cannot be opened: Permission denied',
  attempts: 2,
  next_try: null,
  turbo: null,
};
