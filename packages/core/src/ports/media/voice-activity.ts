export type { VoiceActivityDetector, VoiceActivityStream } from '@va/media';
