// Runs in Electron's main process: reads update feeds as the program does, and prints one line of JSON for each.
import { readFileSync, rmSync } from 'node:fs';
import { app } from 'electron';
import library from 'electron-updater';
import { createSignedFeed } from '../../electron/main/signedFeed.ts';

// Otherwise Electron shows a dialog and waits.
process.on('uncaughtException', (error) => {
  console.error(error);
  app.exit(1);
});
const { folder, key, cert, feeds } = JSON.parse(process.env.READ_FEEDS);
// Give the library a separate folder, because it writes to its cache.
app.setPath('userData', folder);
Object.assign(process.env, { XDG_CACHE_HOME: folder, APPIMAGE: `${folder}/pickstation.AppImage` });

class Updater extends library.AppImageUpdater {
  isUpdaterActive() {
    return true;
  }
}

async function read({ url, downloads }) {
  // The updater reuses files from an earlier download.
  rmSync(`${folder}/pickstation-test`, { recursive: true, force: true });
  const updater = new Updater();
  Object.assign(updater, {
    forceDevUpdateConfig: true,
    updateConfigPath: `${folder}/app-update.yml`,
    autoDownload: false,
    autoInstallOnAppQuit: false,
    disableDifferentialDownload: true,
    logger: null,
  });
  updater.on('error', () => undefined);
  updater.netSession.setCertificateVerifyProc(({ certificate }, answer) =>
    answer(certificate.data.replace(/\s/g, '') === cert.replace(/\s/g, '') ? 0 : -2),
  );
  const feed = createSignedFeed(updater, library, { url, key });
  const { version } = await feed.check();
  if (!downloads) return { version };
  const file = await feed.download(() => undefined);
  feed.verify(file);
  return { version, file: readFileSync(file, 'utf8') };
}

// Do not await this: Electron becomes ready only after this module has run.
void app.whenReady().then(async () => {
  for (const feed of feeds) {
    const found = await read(feed).catch((error) => ({ error: String(error.message).split('\n', 1)[0] }));
    console.log(`READ ${JSON.stringify(found)}`);
  }
  app.exit(0);
});
