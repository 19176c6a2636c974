/** Records unhandled rejections and warnings of the process. */
export function watchProcess(): { readonly seen: readonly string[]; stop(): void } {
  const seen: string[] = [];
  const onRejection = (reason: unknown): void => {
    seen.push(`unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}`);
  };
  const onException = (error: Error): void => {
    seen.push(`uncaught exception: ${error.stack}`);
  };
  const onWarning = (warning: Error): void => {
    seen.push(`warning: ${warning.stack}`);
  };
  process.on('unhandledRejection', onRejection).on('uncaughtException', onException).on('warning', onWarning);
  return {
    seen,
    stop() {
      process.off('unhandledRejection', onRejection).off('uncaughtException', onException).off('warning', onWarning);
    },
  };
}

/** Counts the open handles of the process by kind. */
export function openHandles(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Returns the handles that were not open before, after waiting for closed ones to disappear. */
export async function handlesLeft(before: Readonly<Record<string, number>>): Promise<string[]> {
  for (let tries = 0; ; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const left = Object.entries(openHandles()).filter(([kind, count]) => count > (before[kind] ?? 0));
    if (left.length === 0 || tries === 60) return left.map(([kind, count]) => `${count} ${kind}`);
  }
}
