// Runs the worker from its sources, as the service itself is run from them while it is worked on; tests have made one
// file of them (scripts/bundled-worker.ts).
const bundled = process.env.VA_MEDIA_WORKER;
if (bundled === undefined) {
  const { register } = await import('tsx/esm/api');
  register();
}
await import(bundled ?? './media-worker-entry.ts');
