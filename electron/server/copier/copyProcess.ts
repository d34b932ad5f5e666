/**
 * A separate program, started by copier.ts: reading a whole database and waiting for the disk must not delay a press,
 * and its crash must not end the station. Imports little, since it is started for each backup.
 */
import { doCopyJob } from './copyWork.ts';
import { parentChannel } from './parentChannel.ts';

doCopyJob(parentChannel());
