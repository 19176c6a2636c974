import { defineCallElement } from './element/call-element.ts';

export { defineCallElement } from './element/call-element.ts';
export { createWebCall, WebCallError, withWords, workletSource } from './index.ts';

defineCallElement();
