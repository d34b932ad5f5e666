import { type FoldersStatus, foldersStatusSchema } from '#shared/api/folders.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('settings');

type Parts = { folderStatus: () => FoldersStatus };

export const folderEndpoints = ({ folderStatus }: Parts): Endpoint[] => [
  define('getFolders', 'change_settings', 'Get the status of the folders and of the published sheet', {
    answer: foldersStatusSchema,
    handle: () => folderStatus(),
  }),
];
