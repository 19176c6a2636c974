/** Resolves when the process receives SIGINT or SIGTERM for the first time. */
export async function stopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
