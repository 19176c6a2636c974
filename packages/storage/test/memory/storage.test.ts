import { storageConformance } from '@va/testkit/storage';
import { afterAll, describe, it } from 'vitest';
import { memory } from '../../src/memory/index.ts';

storageConformance(
  { describe, it, afterAll },
  { name: 'memory', capabilities: { persistent: false, shared: false, migrations: false }, open: memory },
);
