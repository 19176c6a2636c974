import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleSession } from '../../session/session.ts';
import { campaignTexts } from '../../texts/en/campaigns.ts';
import { Button } from '../../ui/button.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { saveFile } from '../../ui/save-file.ts';

const kilobyte = 1_024;

/** Downloads the outcomes of all leads as CSV. */
export function ExportButton(props: { readonly session: ConsoleSession; readonly campaignId: string }): JSX.Element {
  const { session, campaignId } = props;
  const [readBytes, setReadBytes] = useState<number | null>(null);
  const run = async (): Promise<void> => {
    setReadBytes(0);
    await attempt(async () => {
      const stream = await session.client.leads.export(campaignId);
      saveFile(`campaign-${campaignId}.csv`, await readAll(stream, setReadBytes));
    });
    setReadBytes(null);
  };
  const progress = readBytes === null ? null : campaignTexts.exporting(`${Math.ceil(readBytes / kilobyte)} KB`);
  return (
    <>
      {progress !== null && (
        <span class="small muted" role="status">
          <progress aria-label={progress} /> {progress}
        </span>
      )}
      <Button shortcut="e" isBusy={readBytes !== null} onClick={() => void run()}>
        {campaignTexts.export}
      </Button>
    </>
  );
}

async function readAll(stream: ReadableStream<Uint8Array>, onRead: (bytes: number) => void): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Blob(chunks, { type: 'text/csv' });
    chunks.push(new Uint8Array(value));
    bytes += value.byteLength;
    onRead(bytes);
  }
}
