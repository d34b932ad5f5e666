import { configureGlobal } from 'fast-check';

/**
 * fast-check with a printed seed, so that failures are reproducible. PROPERTY_SEED selects other values than `npm
 * test`, as `.ci/run properties` does.
 */
configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

export * from 'fast-check';
