import { z } from 'zod';
import { defaultPeakPoints, maxPeakPoints, minPeakPoints } from '../../domain/calls/recording-peaks.ts';
import { integerInRange } from '../../input/page-query.ts';
import { parseInput } from '../../input/parse-input.ts';

const peaksQuerySchema = z.strictObject({ points: integerInRange(minPeakPoints, maxPeakPoints).optional() });
export type PeaksQuery = z.input<typeof peaksQuerySchema>;

/** Returns the number of points. Throws `RequestError` 400. */
export function parsePeaksQuery(query: PeaksQuery): number {
  return parseInput(peaksQuerySchema, query).points ?? defaultPeakPoints;
}
