import { pages } from './pages.ts';

const LAYOUT_ADVICE = 'Set the scanner’s keyboard country to that of this computer, or the computer’s layout to US.';

/** Scanners: the notes of a scan, connecting one, the camera, and the page that shows what a scanner sends. */
export const scanner = {
  title: pages.scanner.title,
  note: 'What your scanner really sends',
  findings: {
    layout: (byPosition: string) =>
      `This computer does not use the US layout that the scanner types on: by the position of its keys, the code is ${byPosition}. ${LAYOUT_ADVICE}`,
    capsLock: (byPosition: string) =>
      `Caps Lock is on, which swaps capitals and small letters: without it, the code is ${byPosition}. Switch Caps Lock off.`,
    numLock: (byPosition: string) =>
      `The scanner types on the number pad, and Num Lock is off: the code is ${byPosition}. Switch Num Lock on, or the scanner’s keypad emulation off.`,
    altCodes: () =>
      'The scanner types each character as a number with Alt, which no page can read. Switch off its ALT mode or universal keyboard mode.',
  },
  links: {
    serial: 'Serial scanner',
    hid: 'HID scanner',
    camera: 'Camera of this device',
    connect: 'Connect',
    disconnect: 'Disconnect',
    openCamera: 'Scan with the camera',
    noCamera: 'The station does not answer, so the camera cannot open. Try again.',
    states: {
      missing: 'This browser cannot connect one. Use Chrome, Edge or the Pickstation window, or let the scanner type.',
      insecure:
        'Browsers allow this only in the Pickstation window, at localhost or over HTTPS. Switch on TLS, or let the scanner type.',
      off: 'Not connected',
      connecting: 'Connecting…',
      on: 'Connected',
      lost: 'Unplugged. It connects again when you plug it in.',
      failed: (reason: string) =>
        `The scanner did not open: ${reason} Close other programs and tabs that use it, then connect again.`,
    },
    notHidPos: 'It is not in the mode HID POS.',
    about: {
      serial: 'For scanners set to “USB serial”, “COM port” or RS-232 with 9600 baud.',
      hid: 'For scanners set to “HID POS” or “USB HID bar code scanner”.',
      camera: 'For a phone or tablet without a scanner.',
    },
  },
  choice: {
    title: 'Choose the scanner',
    none: 'No device found. Check the cable, and that the scanner is set to this mode.',
  },
  camera: {
    title: 'Scan with the camera',
    aim: 'Hold the code inside the picture.',
    starting: 'Starting the camera…',
    torchOn: 'Light on',
    torchOff: 'Light off',
    stopped: 'The camera is off because this page was hidden.',
    again: 'Start again',
    seen: (code: string) => `Read: ${code}`,
    failures: {
      missing: 'This device has no camera that the browser can use.',
      insecure: 'Browsers allow the camera only at localhost, in the Pickstation window or over HTTPS. Switch on TLS.',
      denied: 'The camera is blocked for this page. Allow it in the browser’s site settings, then try again.',
      busy: 'Another program uses the camera. Close it, then try again.',
      reader: 'The reader of codes did not load. Reload the page, then try again.',
      other: (reason: string) => `The camera did not start: ${reason}`,
    },
  },
  page: {
    samples: 'Scan these, or any code of yours',
    sampleNames: { signs: 'Letters and signs', place: 'A place', gs1: 'GS1: article, lot, serial number' },
    sample: (text: string) => `Barcode: ${text}`,
    result: 'Last scan',
    waiting: 'Waiting for a scan',
    waitingNote: 'Scan with the focus anywhere on this page. Keys that a person types are listed too.',
    noScan: 'No scan was recognized',
    facts: {
      code: 'Code',
      second: 'By key position',
      source: 'From',
      ends: 'Ends with',
      pace: 'Between keys',
      layout: 'Keyboard layout',
      capsLock: 'Caps Lock',
      symbology: 'Symbology',
      checkDigit: 'Check digit',
      tried: 'Searched for as',
    },
    sources: { keyboard: 'Keyboard', serial: 'Serial port', hid: 'HID', camera: 'Camera' },
    pace: (least: number, most: number) => (least === most ? `${most} ms` : `${least} to ${most} ms`),
    layouts: { same: 'Matches the scanner', different: 'Does not match the scanner' },
    capsLock: { on: 'On', off: 'Off' },
    checkDigits: {
      right: 'Right',
      wrong: (expected: string) => `Wrong: an EAN, UPC or GTIN would end with ${expected}`,
    },
    parts: 'GS1 parts',
    keys: 'Keys',
    keyCount: (count: number) => (count === 1 ? '1 key' : `${count} keys`),
    noKeys: 'No keys yet.',
    columns: { time: 'After', key: 'Key', position: 'Position', with: 'With' },
    after: (ms: number) => `${ms} ms`,
    space: 'Space',
    links: 'Other ways to scan',
    advice: {
      fine: 'This scanner is set well.',
      otherScan: 'The scan was recognized. Scan a code of this page to check layout, prefix and suffix.',
      slow: (ms: number) =>
        `Up to ${ms} ms passed between two keys; a scan needs less than 50 ms. Set the scanner’s inter-character delay to 0.`,
      noEnd: 'Nothing ended the code. Set the scanner’s suffix to Enter (CR) or Tab.',
      oneKey: 'Only one character arrived. A code needs two or more.',
      around: (text: string) =>
        `The scanner adds characters to ${text}. Remove its prefix and suffix, except Enter or Tab at the end.`,
      noGs: 'The GS1 separator between lot and serial number is missing. Set the scanner to send FNC1 as GS (ASCII 29).',
    },
  },
} as const;
