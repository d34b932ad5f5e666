import {
  CAN_DRAW_BITMAPS,
  CAN_DRAW_FIELDS,
  HAS_NO_LED,
  HAS_NO_SCREEN,
  IS_SLOW,
  HELD_REPORTS,
} from '../../electron/server/turbo/frames/protocol/messages.ts';

/** Describes how a device handles content, presses and reports. */
export function deviceRules(): string[] {
  return [
    '## What a device does',
    '',
    '- **Token 0 is the background**, which the device keeps, drawn or not. Any other token is a command.',
    '  When one command replaces another, LED and token change when the e-paper is drawn, so a press belongs to what the worker saw. If the screen shows the background or nothing, a device may change LED and token and report `shown` at once; the picture follows.',
    '  From the end of a command until the next content is drawn, the token is 0. Each station begins its tokens at a random number and never repeats one.',
    '- **A command ends** by a front press, short or long (`button`), after its seconds, counted from when it is shown (`ended`), or by another `show`. Ending by itself, the device switches the LED off at once,',
    '  returns to its background and reports `shown` with token 0; without a background it blanks and reports nothing. It never shows that token again: `alreadyEnded`, as long as its report is held and a minute longer.',
    '  A token that another `show` replaced may come again.',
    '- **`shownToken` and `shownChecksum`** say what is on the screen, `pendingToken` and `pendingChecksum` what comes next; `pendingToken` 0 without a checksum is a blank screen. When a command ends by itself, `shownToken`',
    '  becomes 0 at once; `shownChecksum` stays until the next content is drawn. On a blank screen and after a restart `shownToken` is 0 and `shownChecksum` absent.',
    '- **Presses on the background** are reported with token 0 and without a quantity. Plus, minus and a long front press are calls; a short one means nothing. Before the very first status of a device such a press counts as that of a new device.',
    '  A press of an ended or unknown token is recorded as late.',
    '- **Plus and minus** change the count (0 to 999, or to `quantity` if that is more) and the number on the screen at once; each press is reported with the new count, or without one if the command has no quantity.',
    '  A `show` of the token that is shown keeps the count and restarts the seconds. The station does not send a bitmap again for a new count, so a device with three buttons should draw fields.',
    `- **The device keeps reports** until they are acknowledged: presses and ends in order, one at a time; beside them the newest four \`shown\`. At ${HELD_REPORTS} held presses and ends it refuses presses (the LED flickers white) and shows (\`busy\`),`,
    '  but always holds the `ended` of the shown command. `epoch` and `counter` identify a report forever. `button` and `ended` share the counter; `epoch` is random, and new whenever the device may have forgotten its counter.',
    '- **The ack of a report** has no deadline: the station sends it when the report is on disk. It accepts a `button` before the `shown` of its token. While its disk is full, it does not answer.',
    '- **`keep`** changes the background during work, and not the screen. If the work has just ended, the device draws the new background. A turbo that answers `unsupported` gets a `show` when the work has ended.',
    '- **Offline devices.** A turbo that gives up on a device (as its radio requires) reports `reachable` 0 and answers messages for it with `unreachable`. It may still send what it held, or drop it; the next status tells.',
    '- **`same`** instead of a content: the device has the content of this checksum on its screen (only token and LED change, at once) or as its background. The device only compares checksums. They cover everything drawn, in either form, but not LED, seconds or sound.',
    '- **LED and sound.** `brightness` is percent, ignored with `fixedBrightness`. `sound` plays when the LED is lit: empty, or milliseconds per unit, then notes with their units: `15,c5,4` is the c of octave 5 for 60 ms; `g5s` is sharp, `p` a pause.',
    `- **Capabilities**: bit 0 (${CAN_DRAW_FIELDS}) it draws fields itself, which it then gets, bit 1 (${CAN_DRAW_BITMAPS}) it takes bitmaps: 296 x 128 pixels, row by row, 37 bytes a row, the most significant bit is the leftmost pixel, 1 is black;`,
    '  packed as PackBits where that is shorter (a byte n < 128: the next n + 1 bytes follow; n > 128: the next byte 257 - n times; 128: nothing). A form that it cannot draw is answered `refused`. `POST /api/preview/` of a station draws any fields and lists the icons.',
    `  What a device lacks: bit 2 (${HAS_NO_SCREEN}) it is only a light, and is sent \`same\` as its screen, bit 3 (${HAS_NO_LED}) it has no LED. Bit 4 (${IS_SLOW}): it asks for what it is to show only every 40 s or so. \`buttons\` is 1, 3, or 0.`,
    '- **`deviceStatus`** comes after all reports that the device holds, and at once with `reachable` 0: after three silent intervals of the device. The station shows a device nothing before its status in this session.',
    '  Another is due when `reachable` changes, and, at most every 10 s per device, when the signal changes by 6 dB or the battery by 50 mV.',
    '- **Several turbos** may hear one device, and send its status and the same reports. The station serves it through the best signal, and moves to another turbo if that one reports `reachable` 0, answers `unreachable`, leaves a `show` unanswered three times (4.5 s)',
    '  or, while the device does not draw, hears it 10 dB worse. Screen, token and `epoch` count only from the serving turbo, or with a new `epoch`; while another turbo reaches the device, the previous `epoch` is old. A turbo that no longer reaches a device drops its `show`;',
    '  what the device shows late all the same, it reports as `shown`, and the station corrects it.',
    '',
  ];
}
