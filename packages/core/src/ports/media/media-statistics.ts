export type { MediaStatistics } from '@va/media';
