import { z } from 'zod';

/** Maximum number of points of a waveform. */
export const maxPeakPoints = 4_000;
/** Minimum number of points of a waveform. */
export const minPeakPoints = 10;
export const defaultPeakPoints = 800;

const peaks = z.array(z.number().min(0).max(1));

/** The waveform of a recording. */
export const recordingPeaksSchema = z.object({
  /** Duration of the recording; of one in progress, so far. */
  duration_ms: z.int(),
  sample_rate: z.int(),
  /**
   * Largest magnitude of the samples of each point, from 0 to 1. A recording with fewer samples than points has a point
   * per sample. For a mono recording, `caller` has both sides and `agent` is empty.
   */
  channels: z.object({ caller: peaks, agent: peaks }),
});
/** Waveform of a recording, reduced for display. */
export type RecordingPeaks = z.infer<typeof recordingPeaksSchema>;
