import { pages } from './pages.ts';

export const help = {
  title: pages.help.title,
  note: 'Tasks, words and shortcuts',
  tasks: 'Tasks',
  reference: 'API reference',
  scanner: 'Test a scanner',
  contents: 'On this page',
  keyboard: 'Keyboard',
  keys: [
    ['?', 'Open this page'],
    ['Ctrl K', 'Search devices, places, orders, pages and actions'],
    ['/', 'Go to the search field of a page'],
    ['+  −  0', 'Zoom the map'],
    ['Arrow keys', 'Move between devices on the map and between rows of a list'],
    ['Enter', 'Press a simulated button'],
    ['Shift Enter', 'Long-press a simulated button'],
    ['Shift', 'Select a range'],
    ['Ctrl A', 'Select all devices shown on the map'],
    ['Ctrl Z', 'Undo a change to the map'],
    ['Escape', 'Close a dialog, or leave a map mode'],
  ],
  logs: 'Logs',
  logsKept:
    'The station writes one log file per day to the logs subfolder of its data folder and keeps it for the days set in Settings, Retention. Secrets and names are hidden.',
  logsFolder: 'On this station',
  logsOff: 'turned off by a start option',
  logsShown:
    'In the desktop window, choose Show logs in the Help or tray menu. For support, download the diagnostics, which include the log: ',
  logsSettings: 'Settings, About and diagnostics',
  turbo: 'What is a turbo?',
  alias: 'What is an alias (another place for a device)?',
  static: 'What are statics?',
} as const;
