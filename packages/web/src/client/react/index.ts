export { useWebCall, type WebCallHook } from './use-web-call.ts';
