export type { Clock, Timer } from '@va/media';
