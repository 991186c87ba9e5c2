import fc from 'fast-check';

/**
 * Makes the same random values at every run, so that a change that breaks nothing never fails by chance, and one that does
 * always fails alike. `FC_SEED=random npx vitest run` looks for what these values miss, `FC_SEED=5` repeats such a run.
 */
const wanted = process.env.FC_SEED ?? '1';
const seed = wanted === 'random' ? Date.now() % 2 ** 31 : Number(wanted);
if (!Number.isInteger(seed)) throw new Error(`FC_SEED is to be an integer or "random", not "${wanted}".`);
fc.configureGlobal({ seed });
