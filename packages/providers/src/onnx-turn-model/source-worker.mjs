// Runs the worker from the sources of the repository, which scripts/bundle-workers.mjs has bundled into this file.
const bundled = process.env.VA_TURN_MODEL_WORKER;
if (bundled === undefined) throw new Error('Run programs from their sources with scripts/run.mjs.');
await import(bundled);
