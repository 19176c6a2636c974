/** @see https://docs.cartesia.ai/use-the-api/api-conventions */
export const apiVersion = '2026-03-01';
