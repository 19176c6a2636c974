import { providerConformance } from '@va/testkit/providers';
import { beforeAll, describe, it } from 'vitest';
import { subjects } from './subjects.ts';

// Under load, the first import of the client takes longer than an adapter waits for the words of a turn.
beforeAll(() => import('@deepgram/sdk'));

for (const subject of subjects) providerConformance({ describe, it }, subject);
