export type { Logger } from '@va/media';
