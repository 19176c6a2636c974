export type { MetricsSource } from './metrics/access.ts';
export { type PrometheusOptions, prometheus, type VoiceMetrics } from './metrics/voice-metrics.ts';
