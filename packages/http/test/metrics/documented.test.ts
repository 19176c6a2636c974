import { readFile } from 'node:fs/promises';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createInstruments } from '../../src/metrics/instruments.ts';

it('docs/observability.md lists every metric with its labels, and no other one', async () => {
  const text = await readFile(new URL('../../../../docs/observability.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(va_\w+)` \| (\w+) \| ?([\w, ]*?) ?\|$/gm)];
  const documented = rows.map(([, name, type, labels]) => `${name} ${type} ${labels}`);
  const registry = new Registry();
  const instruments = createInstruments(registry);
  const labelsOf = new Map(Object.values(instruments).map((each) => [each.name, each.labelNames.join(', ')]));
  const made = (await registry.getMetricsAsJSON()).map(({ name, type }) => `${name} ${type} ${labelsOf.get(name)}`);
  expect(documented).toEqual(made);
});
