// Runs the worker from its TypeScript sources during development. Tests bundle the sources into one file
// (scripts/bundled-worker.ts), named by VA_MEDIA_WORKER.
const bundled = process.env.VA_MEDIA_WORKER;
if (bundled === undefined) {
  const { register } = await import('tsx/esm/api');
  register();
}
await import(bundled ?? './media-worker-entry.ts');
