const LAYOUT_ADVICE = 'Set the scanner’s keyboard country to that of this computer, or the computer’s layout to US.';

/** Scanners: the notes of a scan, connecting one, the camera, and the page that shows what a scanner sends. */
export const scanner = {
  title: 'Scanner',
  note: 'What your scanner really sends',
  also: 'barcode wedge keyboard serial hid camera test gs1 layout caps lock qr',
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
    cancel: 'Cancel',
  },
  camera: {
    title: 'Scan with the camera',
    aim: 'Hold the code inside the picture.',
    starting: 'Starting the camera…',
    torch: 'Light',
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
    scan: 'Scan one of these, or any code of yours',
    samples: {
      plain: 'Letters and signs',
      gs1: 'GS1: article and lot',
      place: 'A place',
    },
    sample: (text: string) => `Barcode of ${text}`,
    waiting: 'Waiting for a scan',
    waitingNote: 'Scan with the focus anywhere on this page. Typing is shown too.',
    result: 'Last scan',
    code: 'Code',
    second: 'By key position',
    source: 'From',
    sources: { keyboard: 'Keyboard', serial: 'Serial port', hid: 'HID', camera: 'Camera' },
    ends: 'Ends with',
    pace: 'Between two keys',
    paceOf: (least: number, most: number) => (least === most ? `${most} ms` : `${least} to ${most} ms`),
    layout: 'Keyboard layout',
    layouts: { same: 'Matches the scanner', different: 'Does not match the scanner' },
    capsLock: 'Caps Lock',
    on: 'On',
    off: 'Off',
    symbology: 'Symbology',
    checkDigit: 'Check digit',
    checkDigits: {
      none: 'Not a number with a check digit',
      right: 'Right',
      wrong: (expected: string) => `Wrong; ${expected} would be right`,
    },
    tried: 'Searched for as',
    parts: 'GS1 parts',
    keys: 'Keys',
    keysNote: (count: number) => `${count} keys`,
    key: { time: 'Time', key: 'Key', position: 'Position' },
    clear: 'Clear',
    advice: {
      title: 'Set the scanner',
      fine: 'This scanner is set well.',
      slow: (ms: number) =>
        `Up to ${ms} ms pass between two keys; a scan needs less than 50 ms. Set the inter-character delay to 0.`,
      noEnd: 'Nothing ends the code. Set the suffix to Enter (CR) or Tab.',
      oneKey: 'A code needs two or more characters.',
      otherCode: (expected: string) =>
        `This is not quite the sample ${expected}. Check prefix, suffix and “transmit AIM identifier” in the scanner.`,
      noGs: 'This sample has no lot after the article: the scanner removes the GS1 separator. Set FNC1 to be sent as GS (ASCII 29, Ctrl+]).',
    },
    connect: 'Other ways to scan',
  },
} as const;
