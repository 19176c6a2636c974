export { systemClock } from '@va/media';
