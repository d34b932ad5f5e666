import { configureGlobal } from 'fast-check';

/**
 * fast-check with a seed that is said: what fails, fails again. PROPERTY_SEED tries other values than `npm test` does, as
 * `.ci/run properties` does with several.
 */
configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

export * from 'fast-check';
