/**
 * Program for copies, pictures and files, started by copier.ts as a separate process: reading a whole database and waiting for the disk must
 * not delay a press, and a crash here must not end the station. Has few imports, because it starts for each backup.
 */
import { doCopyJob } from './copyWork.ts';
import { parentChannel } from './parentChannel.ts';

doCopyJob(parentChannel());
