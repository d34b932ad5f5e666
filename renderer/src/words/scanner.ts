import { pages } from './pages.ts';

const LAYOUT_ADVICE = 'Set the scanner’s keyboard country to match this computer, or the computer’s layout to US.';

/**
 * Texts for scanners: notes about a scan, connecting a scanner, the camera, and the page that shows what a scanner
 * sends.
 */
export const scanner = {
  title: pages.scanner.title,
  note: 'What your scanner actually sends',
  unreadable:
    'The scanner sent characters that this browser cannot read. Set it to act as a USB keyboard (on Android: keystroke output with key events), with a delay of 10 ms between characters, then scan again.',
  findings: {
    layout: (byPosition: string) =>
      `The scanner types on a US layout, but this computer uses another one: by key position, the code is ${byPosition}. ${LAYOUT_ADVICE}`,
    capsLock: (byPosition: string) =>
      `Caps Lock is on, which swaps upper and lower case: without it, the code is ${byPosition}. Turn Caps Lock off.`,
    numLock: (byPosition: string) =>
      `The scanner types on the number pad, and Num Lock is off: the code is ${byPosition}. Turn on Num Lock, or turn off the scanner’s keypad emulation.`,
    altCodes: () =>
      'The scanner types each character as an Alt code, which no web page can read. Turn off its ALT mode or universal keyboard mode.',
  },
  links: {
    serial: 'Serial scanner',
    hid: 'HID scanner',
    camera: 'Camera of this device',
    connect: 'Connect',
    disconnect: 'Disconnect',
    openCamera: 'Scan with the camera',
    noCamera: 'The station does not answer, so the camera cannot start. Try again.',
    states: {
      missing:
        'This browser does not support this. Use Chrome, Edge or the Pickstation window, or a scanner that types.',
      insecure:
        'This works only in the Pickstation window, at localhost or over HTTPS. Turn on encryption, or use a scanner that types.',
      off: 'Not connected',
      connecting: 'Connecting…',
      on: 'Connected',
      lost: 'Unplugged. It reconnects when you plug it in.',
      failed: (reason: string) =>
        `The scanner could not be opened: ${reason} Close other programs and tabs that use it, then connect again.`,
    },
    notHidPos: 'It is not in HID POS mode.',
    about: {
      serial: 'For scanners set to “USB serial”, “COM port” or RS-232 at 9600 baud.',
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
    aim: 'Hold the code inside the frame.',
    starting: 'Starting the camera…',
    torchOn: 'Light on',
    torchOff: 'Light off',
    stopped: 'The camera is off because this page was hidden.',
    again: 'Start again',
    seen: (code: string) => `Read: ${code}`,
    failures: {
      missing: 'This device has no camera that the browser can use.',
      insecure: 'The camera works only in the Pickstation window, at localhost or over HTTPS. Turn on encryption.',
      denied: 'The camera is blocked for this page. Allow it in the browser’s site settings, then try again.',
      busy: 'Another program uses the camera. Close it, then try again.',
      reader: 'The code reader did not load. Reload the page, then try again.',
      other: (reason: string) => `The camera did not start: ${reason}`,
    },
  },
  page: {
    samples: 'Scan these, or your own codes',
    sampleNames: { signs: 'Letters and signs', place: 'A place', gs1: 'GS1: article, lot, serial number' },
    sample: (text: string) => `Barcode: ${text}`,
    result: 'Last scan',
    waiting: 'Waiting for a scan',
    waitingNote: 'Scan anywhere on this page. Keys typed by hand are listed too.',
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
      right: 'Correct',
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
      fine: 'This scanner is set up correctly.',
      otherScan: 'The scan was recognized. Scan a code on this page to check layout, prefix and suffix.',
      slow: (ms: number) =>
        `Up to ${ms} ms passed between two keys; a scan needs less than 50 ms. Set the scanner’s inter-character delay to 0.`,
      noEnd: 'The scanner sent no suffix. Set its suffix to Enter (CR) or Tab.',
      prefixEnter:
        'The scanner sends Enter before the code, where Enter can press a button. Remove Enter from its prefix: only its suffix must be Enter or Tab.',
      onlyEnter:
        'Only Enter arrived. If you scanned a code, its characters got lost: set the scanner’s inter-character delay to 10 ms.',
      lost: (code: string, text: string) =>
        `If you scanned ${text}, characters got lost: only ${code} arrived. Set the scanner’s inter-character delay to 10 ms.`,
      oneKey: 'Only one character arrived. A code needs two or more.',
      around: (text: string) =>
        `The scanner adds characters to ${text}. Remove its prefix and suffix, except Enter or Tab at the end.`,
      noGs: 'The GS1 separator between lot and serial number is missing. Set the scanner to send FNC1 as GS (ASCII 29).',
    },
  },
} as const;
