import { providerConformance } from '@va/testkit/providers';
import { describe, it } from 'vitest';
import { subjects } from './subjects.ts';

for (const subject of subjects) providerConformance({ describe, it }, subject);
