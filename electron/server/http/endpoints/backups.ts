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
import { endpoint, type Endpoint } from '../endpoint.ts';

const pipeline = promisify(pipe);

const named = z.object({ name: z.string() });

/** Copies of everything, and the way back. */
export function backupEndpoints(parts: { backups: Backups; url: () => string; restart: () => void }): Endpoint[] {
  const { backups, url, restart } = parts;
  return [
    endpoint({
      method: 'POST',
      path: '/api/backups/',
      tag: 'backups',
      summary: 'Make a backup now',
      description:
        'A consistent copy of everything, made while the station works and then read through; answered when it is done. `GET /api/backups/status/` says how far it is. Where it cannot be made, nothing is left of it.',
      right: 'manage_backups',
      status: 201,
      answer: backupSchema,
      handle: ({ by }) => backups.make('manual', by),
    }),
    endpoint({
      method: 'GET',
      path: '/api/backups/',
      tag: 'backups',
      summary: 'All backups, the newest first',
      description:
        'Those that the station makes by itself go again: of each kind the newest stay, as many as `backup_keep` in the settings says. Those that somebody made or uploaded stay until somebody removes them.',
      right: 'manage_backups',
      answer: z.array(backupSchema),
      handle: () => backups.list(),
    }),
    endpoint({
      method: 'GET',
      path: '/api/backups/status/',
      tag: 'backups',
      summary: 'The backup that is being made, and when the next one is',
      right: 'manage_backups',
      answer: backupStatusSchema,
      handle: () => backups.status(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/backups/cancel/',
      tag: 'backups',
      summary: 'Give up the backup that is being made',
      description:
        'Nothing is left of it; whoever asked for it is answered 409. Where none is being made, nothing happens.',
      right: 'manage_backups',
      status: 202,
      answer: z.undefined(),
      handle() {
        backups.cancel();
        return undefined;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/backups/upload/',
      tag: 'backups',
      summary: 'Bring a backup from elsewhere',
      description:
        'The file itself is the body. It is read through, and kept only if it can be restored. Nothing else happens yet: `GET /api/backups/{name}/contents/` says what it holds, `POST /api/backups/{name}/restore/` puts it back.',
      right: 'manage_backups',
      upload: { contentType: BACKUP_TYPE, limit: MAX_UPLOAD_BYTES },
      status: 201,
      answer: backupSchema,
      handle: ({ req, by }) => backups.receive(by, lengthOf(req), (path) => save(req, path)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/backups/{name}/',
      tag: 'backups',
      summary: 'Download a backup',
      description:
        'A database of SQLite with everything in it: hashes of passwords and keys, and the passwords of your receivers as they are. Keep it as you keep those.',
      right: 'manage_backups',
      params: named,
      answer: { contentType: BACKUP_TYPE },
      async handle({ params, by, req, res }) {
        const { path, size } = await backups.download(params.name, by);
        res.setHeader('content-type', BACKUP_TYPE);
        res.setHeader('content-length', size);
        res.setHeader('content-disposition', `attachment; filename="${params.name}"`);
        res.setHeader('cache-control', 'no-store');
        res.setHeader('x-content-type-options', 'nosniff');
        if (req.method === 'HEAD') res.end();
        // Who goes away in the middle is told nothing more.
        else await pipeline(createReadStream(path), res).catch(() => undefined);
        return undefined;
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/backups/{name}/contents/',
      tag: 'backups',
      summary: 'What a backup holds, and whether it can be restored',
      description: 'Reads it through, from its first page to its last.',
      right: 'manage_backups',
      params: named,
      answer: backupContentsSchema,
      handle: ({ params }) => backups.contents(params.name),
    }),
    endpoint({
      method: 'POST',
      path: '/api/backups/{name}/restore/',
      tag: 'backups',
      summary: 'Restore a backup',
      description:
        'The station starts again inside, within seconds, with everything as it was when the backup was made: devices, places, open commands, settings, people and keys. What there is now is kept as a backup first. Streams of events begin anew, and who signed in since has to sign in again.',
      right: 'manage_backups',
      params: named,
      status: 202,
      answer: restoreOrderedSchema,
      async handle({ params, by, res }) {
        await backups.orderRestore(params.name, by);
        // The answer is on its way before it stops to listen.
        res.once('close', restart);
        return { name: params.name, url: url() };
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/backups/{name}/',
      tag: 'backups',
      summary: 'Remove a backup',
      right: 'manage_backups',
      params: named,
      status: 204,
      answer: z.undefined(),
      async handle({ params, by }) {
        await backups.remove(params.name, by);
        return undefined;
      },
    }),
  ];
}

function lengthOf(req: Request): number | undefined {
  const length = req.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** To a file that is there, and no further than the limit. */
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
