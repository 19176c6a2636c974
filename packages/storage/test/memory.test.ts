import { storageConformance } from '@va/testkit/storage';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { memory } from '../src/memory/index.ts';

storageConformance(
  { describe, it, beforeAll, afterAll },
  { name: 'memory', capabilities: { persistent: false, shared: false, migrations: false }, open: memory },
);
