// Runs the worker from the sources: scripts/bundle-workers.mjs bundles them, and names the bundle here.
const bundled = process.env.VA_SCHEMA_WORKER;
if (bundled === undefined) throw new Error('Run programs from their sources with scripts/run.mjs.');
await import(bundled);
