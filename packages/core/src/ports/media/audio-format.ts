export type { AudioEncoding, AudioFormat } from '@va/media';
