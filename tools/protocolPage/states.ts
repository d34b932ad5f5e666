/** Draws state diagrams of the link, the device and the report. The text of the page contains the rules. */
export function stateDiagrams(): string[] {
  return [
    '## States',
    '',
    ...DIAGRAMS.flatMap(({ title, lines }) => [
      `### ${title}`,
      '',
      '```mermaid',
      'stateDiagram-v2',
      ...lines.map((line) => `  ${line}`),
      '```',
      '',
    ]),
  ];
}

const DIAGRAMS = [
  {
    title: 'A turbo on its link',
    lines: [
      '[*] --> Greeting: link open',
      'Greeting: Greeting, says hello every second',
      'Greeting --> Session: welcome accepted',
      'Greeting --> TurnedAway: any other welcome',
      'TurnedAway --> Greeting: after 30 s',
      'Session: Session, with a heartbeat',
      'Session --> Greeting: ack refused, reboot, or 15 s of silence',
      'Session --> [*]: link closed (a network turbo connects again)',
    ],
  },
  {
    title: 'The station on a link',
    lines: [
      '[*] --> Waiting: link open',
      'Waiting: Waiting, refuses all but a hello',
      'Waiting --> Syncing: hello that is welcome',
      'Syncing --> Online: synced',
      'Online --> Syncing: hello of a new session',
      'Syncing --> [*]: 15 s of silence',
      'Online --> [*]: 15 s of silence',
      'note right of Syncing: a device is shown nothing before its deviceStatus of this session',
    ],
  },
  {
    title: 'A device',
    lines: [
      '[*] --> Background: boot, new epoch',
      'Background --> Drawing: show, or keep',
      'Background --> Lit: show of a command: lit first (shown), drawn later',
      'Drawing --> Lit: drawn, token n (shown)',
      'Drawing --> Background: drawn, token 0 (shown)',
      'Lit: Lit, plus and minus count (button), keep changes the background',
      'Lit --> Drawing: another show',
      'Lit --> Ended: front press (button), or seconds over (ended)',
      'Ended --> Drawing: LED off, draws its background or the next show',
      'note right of Ended: the token is 0 for presses, and alreadyEnded for shows',
    ],
  },
  {
    title: 'A report of a device',
    lines: [
      '[*] --> Held: press or end, counter + 1',
      'Held --> InFlight: its turn, and the window has room',
      'InFlight: InFlight, sent again until answered',
      'InFlight --> Held: session over, or ack busy',
      'InFlight --> [*]: ack ok (it is on disk), malformed or unsupported',
    ],
  },
] as const;
