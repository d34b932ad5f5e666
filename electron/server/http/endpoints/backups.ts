import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline as pipe, Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import type { Request } from 'express';
import { z } from 'zod';
import {
  BACKUP_TYPE,
  MAX_UPLOAD_BYTES,
  backupContentsSchema,
  backupSchema,
  backupStatusSchema,
  restoreOrderedSchema,
} from '#shared/api/backup.ts';
import { StationError } from '../../errors.ts';
import type { Backups } from '../../services/backups/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('backups');

const BACKUP = 'pickstation-20261120-080000Z-manual.sqlite';

const NO_BACKUP = 'There is no such backup.';

const pipeline = promisify(pipe);

const named = z.object({ name: z.string() });

/** Backups of everything, and restoring them. */
export function backupEndpoints(parts: { backups: Backups; url: () => string; restart: () => void }): Endpoint[] {
  const { backups, url, restart } = parts;
  return [
    define('POST /api/backups/', {
      operationId: 'makeBackup',
      summary: 'Make a backup now',
      description:
        'A consistent copy of everything, made while the station works and then read through; answered when it is done. `GET /api/backups/status/` says how far it is. Where it cannot be made, nothing is left of it.',
      right: 'manage_backups',
      status: 201,
      answer: backupSchema,
      refusals: { 409: 'Another one is being made, or this one was cancelled.' },
      handle: ({ by }) => backups.make('manual', by),
    }),
    define('GET /api/backups/', {
      operationId: 'listBackups',
      summary: 'All backups, the newest first',
      description:
        'Those that the station makes by itself go again: of each kind the newest stay, as many as `backup_keep` in the settings says. Those that somebody made or uploaded stay until somebody removes them.',
      right: 'manage_backups',
      answer: z.array(backupSchema),
      handle: () => backups.list(),
    }),
    define('GET /api/backups/status/', {
      operationId: 'getBackupStatus',
      summary: 'The backup that is being made, and when the next one is',
      right: 'manage_backups',
      answer: backupStatusSchema,
      handle: () => backups.status(),
    }),
    define('POST /api/backups/cancel/', {
      operationId: 'cancelBackup',
      summary: 'Give up the backup that is being made',
      description:
        'Nothing is left of it; whoever asked for it is answered 409. Where none is being made, nothing happens.',
      right: 'manage_backups',
      status: 202,
      handle() {
        backups.cancel();
        return undefined;
      },
    }),
    define('POST /api/backups/upload/', {
      operationId: 'uploadBackup',
      summary: 'Bring a backup from elsewhere',
      description:
        'The file itself is the body. It is read through, and kept only if it can be restored. Nothing else happens yet: `GET /api/backups/{name}/contents/` says what it holds, `POST /api/backups/{name}/restore/` puts it back.',
      right: 'manage_backups',
      upload: { contentType: BACKUP_TYPE, limit: MAX_UPLOAD_BYTES },
      status: 201,
      answer: backupSchema,
      refusals: {
        400: 'It cannot be restored, and was not kept.',
        409: 'A backup is being made, or it was cancelled.',
      },
      handle: ({ req, by }) => backups.receive(by, lengthOf(req), (path) => save(req, path)),
    }),
    define('GET /api/backups/{name}/', {
      operationId: 'downloadBackup',
      summary: 'Download a backup',
      description:
        'A database of SQLite with everything in it: hashes of passwords and keys, and the passwords of your receivers as they are. Keep it as you keep those.',
      right: 'manage_backups',
      params: named,
      parameterExamples: { name: BACKUP },
      answer: { contentType: BACKUP_TYPE },
      refusals: { 404: NO_BACKUP },
      async handle({ params, by, req, res }) {
        const { path, size } = await backups.download(params.name, by);
        res.setHeader('content-type', BACKUP_TYPE);
        res.setHeader('content-length', size);
        res.setHeader('content-disposition', `attachment; filename="${params.name}"`);
        res.setHeader('cache-control', 'no-store');
        res.setHeader('x-content-type-options', 'nosniff');
        if (req.method === 'HEAD') res.end();
        // Ignore callers that disconnect.
        else await pipeline(createReadStream(path), res).catch(() => undefined);
        return undefined;
      },
    }),
    define('GET /api/backups/{name}/contents/', {
      operationId: 'getBackupContents',
      summary: 'What a backup holds, and whether it can be restored',
      description: 'Reads it through, from its first page to its last.',
      right: 'manage_backups',
      params: named,
      parameterExamples: { name: BACKUP },
      answer: backupContentsSchema,
      refusals: { 400: 'It cannot be restored: `detail` says why.', 404: NO_BACKUP },
      handle: ({ params }) => backups.contents(params.name),
    }),
    define('POST /api/backups/{name}/restore/', {
      operationId: 'restoreBackup',
      summary: 'Restore a backup',
      description:
        'The station starts again inside, within seconds, with everything as it was when the backup was made: devices, places, open commands, settings, people and keys. What there is now is kept as a backup first. Streams of events begin anew, and who signed in since has to sign in again.',
      right: 'manage_backups',
      params: named,
      parameterExamples: { name: BACKUP },
      status: 202,
      answer: restoreOrderedSchema,
      refusals: { 400: 'It cannot be restored: `detail` says why.', 404: NO_BACKUP },
      async handle({ params, by, res }) {
        await backups.orderRestore(params.name, by);
        // Restart only after the answer is sent.
        res.once('close', restart);
        return { name: params.name, url: url() };
      },
    }),
    define('DELETE /api/backups/{name}/', {
      operationId: 'removeBackup',
      summary: 'Remove a backup',
      right: 'manage_backups',
      params: named,
      parameterExamples: { name: BACKUP },
      refusals: { 404: NO_BACKUP },
      handle: ({ params, by }) => backups.remove(params.name, by),
    }),
  ];
}

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
      done(bytes > MAX_UPLOAD_BYTES ? tooLarge() : null, chunk);
    },
  });
  await pipeline(req, counted, createWriteStream(path, { flags: 'r+' }));
  if (bytes === 0) throw new StationError('malformed', 'The request has no body. Send the file of a backup as it is.');
}

function tooLarge(): StationError {
  return new StationError(
    'too_large',
    'The file is over 1 GiB. Put it on the machine of the station and start that with --restore.',
  );
}
