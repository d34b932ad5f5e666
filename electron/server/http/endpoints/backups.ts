import { createWriteStream } from 'node:fs';
import { pipeline as pipe, Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import type { Request } from 'express';
import { z } from 'zod';
import * as api from '#shared/api/backup.ts';
import { BACKUP_TYPE } from '#shared/api/routes/station.ts';
import { StationError } from '../../errors.ts';
import { backupPassphraseSchema, openedSecretsSchema, openSecretsSchema } from '#shared/api/secrets.ts';
import type { Backups } from '../../services/backups/index.ts';
import type { Secrets } from '../../services/secrets/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { keepOutOfCaches } from '../bodies/formats.ts';

const define = endpointsOf('backups');

const BACKUP = 'pickstation-20261120-080000Z-manual.sqlite';

const NO_BACKUP = 'There is no such backup.';

const pipeline = promisify(pipe);

const named = z.object({ name: z.string().describe('The name of the backup.').meta({ example: BACKUP }) });

type Parts = {
  backups: Backups;
  secrets: Pick<Secrets, 'setPassphrase' | 'open'>;
  url: () => string;
  restart: () => void;
};

/** Endpoints for complete backups and for restoring them. */
export const backupEndpoints = ({ backups, secrets, url, restart }: Parts): Endpoint[] => [
  define('makeBackup', 'manage_backups', 'Create a backup', {
    actsOutside: true,
    description:
      'Copies everything while the station keeps working, checks the copy, and responds when it is done. `GET /api/backups/status/` returns the progress. A failed backup leaves no file.',
    status: 201,
    answer: api.backupSchema,
    refusals: { 409: 'Another backup is in progress, or this one was canceled.' },
    handle: ({ by }) => backups.make('manual', by),
  }),
  define('listBackups', 'manage_backups', 'List the backups, newest first', {
    description:
      'Of each kind of automatic backup, the station keeps as many of the newest as the setting `backup_keep` says. Backups that people created or uploaded are kept until somebody removes them.',
    answer: z.array(api.backupSchema),
    handle: () => backups.list(),
  }),
  define('getBackupStatus', 'manage_backups', 'Get the backup in progress and the time of the next one', {
    answer: api.backupStatusSchema,
    handle: () => backups.status(),
  }),
  define('cancelBackup', 'manage_backups', 'Cancel the backup in progress', {
    actsOutside: true,
    description:
      'The backup leaves no file, and the request that started it returns 409. Has no effect if no backup is in progress.',
    status: 202,
    handle() {
      backups.cancel();
      return undefined;
    },
  }),
  define('uploadBackup', 'manage_backups', 'Upload a backup', {
    actsOutside: true,
    description:
      'The body is the file itself. The station checks the file, and keeps it only if it can be restored. `GET /api/backups/{name}/contents/` then returns its contents, and `POST /api/backups/{name}/restore/` restores it.',
    upload: { contentType: BACKUP_TYPE, limit: api.MAX_UPLOAD_BYTES },
    status: 201,
    answer: api.backupSchema,
    refusals: {
      400: 'The file cannot be restored and was not kept.',
      409: 'Another backup is in progress, or this upload was canceled.',
    },
    handle: ({ req, by }) => backups.receive(by, lengthOf(req), (path) => save(req, path)),
  }),
  define('downloadBackup', 'manage_backups', 'Download a backup', {
    description:
      'Returns an SQLite database with all data, including hashes of passwords and keys. The passwords of your receivers are encrypted with the data key of the folder. A backup contains this key only if you have set a passphrase (`PUT /api/secrets/passphrase/`), which encrypts it.',
    params: named,
    answer: { contentType: BACKUP_TYPE },
    refusals: { 404: NO_BACKUP },
    async handle({ params, by, req, res }) {
      const { file, size } = await backups.download(params.name, by);
      res.setHeader('content-type', BACKUP_TYPE);
      res.setHeader('content-length', size);
      res.setHeader('content-disposition', `attachment; filename="${params.name}"`);
      keepOutOfCaches(res);
      if (req.method === 'HEAD') {
        await file.close();
        res.end();
        return undefined;
      }
      // This also closes the file. Ignore callers that disconnect.
      await pipeline(file.createReadStream(), res).catch(() => undefined);
      return undefined;
    },
  }),
  define('getBackupContents', 'manage_backups', 'Check a backup and get its contents', {
    description:
      'Reads the whole file to check whether it can be restored. `returning` names who could come back with it, and `opens` what it would open: sign-ins, folders and addresses.',
    params: named,
    answer: api.backupContentsSchema,
    refusals: { 400: 'The backup cannot be restored; `detail` says why.', 404: NO_BACKUP },
    handle: ({ params }) => backups.contents(params.name),
  }),
  define('restoreBackup', 'manage_backups', 'Restore a backup', {
    isFinal: true,
    actsOutside: true,
    description:
      'The station first backs up its current data, then restarts within seconds with the contents of the backup: devices, places, open commands, settings. People, PINs, passwords, keys, kiosks and screens stay unchanged. Those that only the backup has are in `returning`; the ones in `bring_back` come back. A station without people and keys takes those of the backup. The activity since the backup stays. If it cannot read some secrets (see `secrets` of the contents), send the passphrase, or enter these secrets again. Event streams start over, and everybody has to sign in again; keys and turbos stay connected.',
    params: named,
    body: api.restoreRequestSchema,
    bodyOptional: true,
    examples: {
      all: {
        summary: 'The data, and one person who was removed since',
        value: { bring_back: [{ kind: 'person', name: 'Paula' }] },
      },
    },
    status: 202,
    answer: api.restoreOrderedSchema,
    refusals: { 400: 'The backup cannot be restored: `detail` says why.', 404: NO_BACKUP },
    async handle({ params, body, by, res }) {
      const found = await backups.orderRestore(params.name, body, by);
      // Restart only after the answer is sent.
      res.once('close', restart);
      return { name: params.name, url: url(), ...found };
    },
  }),
  define('setBackupPassphrase', 'manage_backups', 'Set the passphrase for backups', {
    description:
      'Backups then contain the key for their passwords and signing secrets, encrypted with this passphrase, so that another machine can read them. Without a passphrase, these secrets have to be entered again on the other machine. `passphrase_set` of `GET /api/backups/status/` says whether a passphrase is set.',
    body: backupPassphraseSchema,
    examples: { set: { summary: 'A passphrase', value: { passphrase: 'four words of your own' } } },
    refusals: { 409: 'Some secrets can be read only with the passphrase of the restored backup or copied folder.' },
    handle: ({ body, by }) => secrets.setPassphrase(body.passphrase, by),
  }),
  define('openSecrets', 'change_settings', 'Read the secrets of a restored backup', {
    description:
      'Use this after a restore on another machine, or with a copied data folder. Send the passphrase of those data; the station then encrypts their secrets with its own data key. Callbacks, MQTT and e-mails that waited continue.',
    body: openSecretsSchema,
    examples: { open: { summary: 'The passphrase', value: { passphrase: 'four words of your own' } } },
    answer: openedSecretsSchema,
    refusals: { 400: 'The passphrase is wrong.', 409: 'The data have no passphrase.' },
    handle: ({ body, by }) => secrets.open(body.passphrase, by),
  }),
  define('removeBackup', 'manage_backups', 'Remove a backup', {
    actsOutside: true,
    params: named,
    refusals: { 404: NO_BACKUP },
    handle: ({ params, by }) => backups.remove(params.name, by),
  }),
];

function lengthOf(req: Request): number | undefined {
  const length = req.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Writes the body to an existing file, up to the limit. */
async function save(req: Request, path: string): Promise<void> {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      bytes += chunk.length;
      done(bytes > api.MAX_UPLOAD_BYTES ? tooLarge() : null, chunk);
    },
  });
  await pipeline(req, counted, createWriteStream(path, { flags: 'r+' }));
  if (bytes === 0) throw new StationError('malformed', 'The request has no body. Send the backup file itself.');
}

function tooLarge(): StationError {
  return new StationError(
    'too_large',
    'The file is larger than 1 GiB. Copy it to the machine of the station and start the station with --restore.',
  );
}
