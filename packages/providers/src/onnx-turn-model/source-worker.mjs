// Runs the worker from its sources, as the service itself runs from them during development. Tests use one bundled file
// (scripts/bundled-worker.ts).
const bundled = process.env.VA_TURN_MODEL_WORKER;
if (bundled === undefined) {
  const { register } = await import('tsx/esm/api');
  register();
}
await import(bundled ?? './inference-worker.ts');
