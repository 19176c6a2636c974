import { defineProcessors, type WorkletScope } from '@va/web';

// Built as a separate file, because the content security policy of the page forbids `blob:` scripts.
defineProcessors(globalThis as unknown as WorkletScope);
