import { after, describe, it } from 'node:test';
import { memory } from '@va/storage/memory';
import { storageConformance } from '../../../src/storage/conformance.ts';

storageConformance(
  { describe, it, afterAll: after },
  { name: 'memory', capabilities: { persistent: false, shared: false, migrations: false }, open: memory },
);
