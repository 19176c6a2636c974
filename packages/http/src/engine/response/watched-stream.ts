/** Callbacks of a watched stream. */
export interface StreamWatch {
  /** Called once when the stream has ended, failed or was cancelled. */
  onEnd(): void;
  /** Called after `onEnd` if the source failed. */
  onError(error: unknown): void;
}

/** A stream whose end is reported. */
export interface WatchedStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** Ends the stream for its reader as if it were complete. */
  end(): void;
}

/** Passes a stream through at the pace of its reader and reports its end. */
export function watchStream(source: ReadableStream<Uint8Array>, watch: StreamWatch): WatchedStream {
  const reader = source.getReader();
  let close = (): void => {};
  let isOver = false;
  const over = (): boolean => {
    if (isOver) return false;
    isOver = true;
    watch.onEnd();
    return true;
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        close = () => controller.close();
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (isOver) return;
          if (!done) controller.enqueue(value);
          else if (over()) controller.close();
        } catch (error) {
          if (!over()) return;
          watch.onError(error);
          // A generic message: some servers send the text of a stream error to the client.
          controller.error(new Error('The response was interrupted.'));
        }
      },
      async cancel(reason) {
        over();
        await reader.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    end() {
      if (!over()) return;
      close();
      reader.cancel().catch(() => {});
    },
  };
}
