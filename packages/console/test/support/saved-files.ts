import { onTestFinished, vi } from 'vitest';

export interface SavedFile {
  readonly name: string;
  readonly content: Blob;
}

/** Collects the files that the page downloads, until the end of the test. */
export function collectSavedFiles(): readonly SavedFile[] {
  const files: SavedFile[] = [];
  const contents = new Map<string, Blob>();
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    const url = `blob:${contents.size}`;
    if (content instanceof Blob) contents.set(url, content);
    return url;
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const content = contents.get(this.href);
    if (content !== undefined) files.push({ name: this.download, content });
  });
  onTestFinished(() => {
    create.mockRestore();
    click.mockRestore();
  });
  return files;
}
