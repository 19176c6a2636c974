import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Export condition of this repository: it names TypeScript sources, which are in no tarball. */
const sourceCondition = '@va/source';

/** Returns the manifest as it is published: without the condition that names sources. */
export function toPublished(manifest) {
  const exports = Object.entries(manifest.exports).map(([entry, { [sourceCondition]: _, ...shipped }]) => [
    entry,
    shipped,
  ]);
  return { ...manifest, exports: Object.fromEntries(exports) };
}

/** Returns the files that the manifest names and `dir` lacks; such a package must not be published. */
export function missingFiles(manifest, dir) {
  const published = toPublished(manifest);
  const named = [
    ...Object.values(published.exports).flatMap((conditions) => Object.values(conditions)),
    ...Object.values(published.bin ?? {}),
  ];
  return named.filter((file) => !existsSync(join(dir, file)));
}

/** Makes relative links of a package's README absolute, as npm shows it without the repository. */
export function absoluteLinks(readme, { repository, homepage }) {
  const base = new URL(`blob/main/${repository.directory}/`, `${homepage.replace(/#.*/, '')}/`);
  return readme.replace(/\]\((?!https?:|#)([^)\s]+)\)/g, (_, path) => `](${new URL(path, base)})`);
}
