import type { IncomingMessage } from 'node:http';
import type { ReadBody } from './body-of.ts';

/** Node's request with what frameworks add to it. */
export type FrameworkRequest = IncomingMessage &
  ReadBody & {
    /** The path before a framework cut off where it had mounted the handler. */
    readonly originalUrl?: string;
    /** What it has cut off. */
    readonly baseUrl?: string;
  };
