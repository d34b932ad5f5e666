/**
 * A separate program, started by copier.ts, because reading a whole database and waiting for the disk must not delay a press, and a crash
 * here must not end the station. Has few imports, since it starts for each backup.
 */
import { doCopyJob } from './copyWork.ts';
import { parentChannel } from './parentChannel.ts';

doCopyJob(parentChannel());
