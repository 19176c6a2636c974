import { defineProcessors, type WorkletScope } from '@va/web';

// Built as a file of its own: the page's policy allows no `blob:` scripts.
defineProcessors(globalThis as unknown as WorkletScope);
