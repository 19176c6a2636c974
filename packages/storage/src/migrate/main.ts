#!/usr/bin/env node
import { migrate } from './migrate.ts';

migrate(process.argv.slice(2), { env: process.env, out: console.log, err: console.error }).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
