import { CarrierService } from './carrier-service.ts';
import { carrierTests } from './carrier-tests.ts';
import type { CarrierTestOptions } from './subject.ts';

/** Functions of a test runner, such as vitest, jest or `node:test`. */
export interface CarrierTestRunner {
  describe(name: string, register: () => void): unknown;
  it(name: string, run: () => Promise<void>, timeoutMs?: number): unknown;
}

/** Options of the conformance suite of a carrier adapter. */
export interface CarrierConformanceOptions extends CarrierTestOptions {
  /** Name of the adapter. */
  readonly name: string;
}

const timeoutMs = 90_000;

/**
 * Registers the tests that every adapter of a carrier has to pass: whole calls between the carrier on loopback and a
 * service.
 *
 * @example carrierConformance({ describe, it }, { name: 'mine', keys: 'tones', countsLoss: true, open: async (options)
 * => { const server = await MyServer.start(options); return { server, telephony: mine({ apiUrl: server.url }) }; } });
 */
export function carrierConformance(runner: CarrierTestRunner, options: CarrierConformanceOptions): void {
  const { name, open, keys, countsLoss } = options;
  for (const [about, tests] of Object.entries(carrierTests)) {
    runner.describe(`${name}: ${about}`, () => {
      for (const test of tests) {
        runner.it(
          test.name,
          async () => {
            const services: CarrierService[] = [];
            const start = async (serviceOptions = {}): Promise<CarrierService> => {
              const service = await CarrierService.start(serviceOptions, open);
              services.push(service);
              return service;
            };
            try {
              await test.run({ start, keys, countsLoss });
            } finally {
              for (const service of services) await service.close();
            }
          },
          timeoutMs,
        );
      }
    });
  }
}
