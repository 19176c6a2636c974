/** A CSV file: its text, its bytes, a `Blob`, or a stream of text or bytes. */
export type Csv = string | Uint8Array | Blob | AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array>;

/** Reads the whole file, so that it can be sent more than once. */
export async function readCsv(csv: Csv): Promise<Uint8Array<ArrayBuffer>> {
  if (csv instanceof Uint8Array) return new Uint8Array(csv);
  if (typeof csv === 'string') return new TextEncoder().encode(csv);
  if (csv instanceof Blob) return new Uint8Array(await csv.arrayBuffer());
  if (csv instanceof ReadableStream) return new Uint8Array(await new Response(csv).arrayBuffer());
  const chunks: (Uint8Array<ArrayBuffer> | string)[] = [];
  for await (const chunk of csv) chunks.push(typeof chunk === 'string' ? chunk : new Uint8Array(chunk));
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
