import type { IncomingMessage } from 'node:http';
import type { ReadBody } from './body-of.ts';

/** Node's request with the properties that frameworks add. */
export type FrameworkRequest = IncomingMessage &
  ReadBody & {
    /** The URL before a framework removed its mount path. */
    readonly originalUrl?: string;
    /** The mount path that the framework removed. */
    readonly baseUrl?: string;
  };
