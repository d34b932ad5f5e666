/** Simulated devices of one station. Without imports: the process that checks backups is started for each of them. */
export const MAX_SIMULATED = 10_000;
