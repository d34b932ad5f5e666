import { contextBridge } from 'electron';

const VERSION = '--pickstation-version=';

// All that the page learns from the shell: that it runs in one, and which.
contextBridge.exposeInMainWorld('pickstation', {
  desktop: true,
  version: process.argv.find((argument) => argument.startsWith(VERSION))?.slice(VERSION.length) ?? '',
});
