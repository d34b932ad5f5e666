import { plural } from './plural.ts';

export const password = {
  rule: (characters: number) => `At least ${characters} characters. A few words are easy to remember.`,
  show: 'Show password',
  hide: 'Hide password',
} as const;

export const welcome = {
  title: 'Welcome',
  lead: 'Choose a password for signing in from a browser or a tablet.',
  adminOnly: 'Only admins can set up a station. Everything else is on the Today page.',
  step: (step: number, steps: number) => `Step ${step} of ${steps}`,
  screen: { label: 'A-1-1', lines: ['Pickstation', 'light the right shelf'] },
  passwordForm: 'Choose a password',
  password: (user: string) => `Password of ${user}`,
  tooShort: (missing: number) => `Too short: add ${plural(missing, 'character', 'characters')}.`,
  next: 'Next',
  flashes: 'The magenta light is your first device.',
  notFlashing: 'The first device does not flash.',
  noTour: 'The tour did not start. Take it later: the button is on the Today page.',
  start: {
    title: 'Your first devices',
    lead: 'Start with a small demo shop or with your own hardware.',
    demo: 'Try it with simulated devices',
    demoWords: 'Two racks of simulated devices. You can remove them later.',
    making: 'Creating the shop…',
    turbo: 'Connect a gateway',
    turboWords: 'By USB, serial port or network. Your devices appear by themselves.',
    skip: 'Start with an empty station',
  },
  connect: {
    title: 'Connect a gateway',
    lead: 'A gateway, also called a turbo, is the radio between this station and its devices. Devices that it hears appear by themselves.',
    heard: 'Gateways heard',
    none: 'None yet. A connected gateway appears here by itself.',
    transport: {
      usb: 'USB',
      network: 'network',
      simulated: 'simulated',
      openepaperlink: 'OpenEPaperLink',
      wled: 'WLED',
      opendisplay: 'OpenDisplay',
    },
    back: 'Back',
    go: 'Go to Today',
    goAndFlash: (name: string) => `Flash ${name} and continue`,
  },
} as const;

export const signIn = {
  title: 'Sign in',
  lead: 'See what is lit on your shelves, and light what is next.',
  username: 'User name',
  password: 'Password',
  submit: 'Sign in',
  busy: 'Signing in…',
  noUsername: 'Type your user name.',
  noPassword: 'Type your password.',
  failed: 'You are not signed in. Try again.',
  expired: 'Your session has ended. Sign in again. Your input is kept.',
  screen: { label: 'A-1-1', lines: ['Pickstation', 'ready when you are'] },
} as const;
