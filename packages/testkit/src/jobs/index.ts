export { type JobQueueConformanceOptions, jobQueueConformance } from './conformance.ts';
export type { JobQueueTest, JobQueueTestContext } from './job-queue-test.ts';
export { jobQueueTests } from './job-queue-tests.ts';
