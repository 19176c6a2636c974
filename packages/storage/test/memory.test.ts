import { expect, it } from 'vitest';
import { memory } from '../src/memory/index.ts';
import { newAgent, newId } from './support/records.ts';
import { storageSuite } from './support/storage-suite.ts';

const storage = memory();

storageSuite('memory', () => storage);

it('refuses a write past an open transaction, which would wait for itself', async () => {
  const past = storage.transaction(() => storage.agents.insert(newId(), newAgent()));
  await expect(past).rejects.toMatchObject({ code: 'nested_transaction' });
});
