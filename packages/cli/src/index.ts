export { type DemoOptions, demo } from './demo/demo.ts';
export { type ServeOptions, serve } from './serve/serve.ts';
