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
    ['/', 'Go to the search of a page'],
    ['+  −  0', 'Zoom the map'],
    ['Arrow keys', 'Move between devices on the map and between rows of a list'],
    ['Enter', 'Press a simulated button'],
    ['Shift Enter', 'Press it long'],
    ['Shift', 'Select a range'],
    ['Ctrl A', 'Select all shown devices on the map'],
    ['Ctrl Z', 'Undo a change of the map'],
    ['Escape', 'Close a dialog, or leave a mode of the map'],
  ],
  logs: 'Logs',
  logsKept:
    'The station keeps its log for the days set in Settings, Retention, one file per day, in the folder logs of its data folder. Secrets and names are hidden.',
  logsFolder: 'On this station',
  logsOff: 'turned off by its start options',
  logsShown:
    'In the window, Show logs in the menu Help or in the tray opens the folder. For support, download the diagnostics, which include the log: ',
  logsSettings: 'Settings, About and diagnostics',
  turbo: 'What is a turbo?',
  alias: 'What is another place of a device (alias)?',
  static: 'What are statics?',
} as const;
