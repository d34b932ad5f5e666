import { useState } from 'react';
import type { BoardJob } from '#shared/api/board.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';

/** Polling interval in milliseconds. The page polls, because another page may have started a job. */
const LOOK_EVERY_MS = 10_000;

const isSame = (one: BoardJob) => (other: BoardJob) => one.id === other.id && one.started === other.started;

/** Tracks the jobs that this page started or found running. A job stays listed until the person closes its result. */
export function useBoardJobs() {
  const { api } = useStationContext();
  const [jobs, setJobs] = useState<readonly BoardJob[]>([]);
  const [closed, setClosed] = useState<readonly BoardJob[]>([]);
  const { value: found = [] } = useStationQuery(['boardJobs'], () => api.listBoardJobs(), { everyMs: LOOK_EVERY_MS });
  const add = (more: readonly BoardJob[]): void =>
    setJobs((all) => [...all, ...more.filter((job) => !all.some(isSame(job)))]);
  const isNew = (job: BoardJob): boolean => ![...jobs, ...closed].some(isSame(job));
  const met = found.filter((job) => job.state === 'running' && isNew(job));
  if (met.length > 0) add(met);
  return {
    jobs,
    add,
    close(job: BoardJob): void {
      setJobs((all) => all.filter((other) => !isSame(job)(other)));
      // Hide the closed job, because the list may have been loaded before the job ended.
      setClosed((all) => [...all, job]);
    },
  };
}
