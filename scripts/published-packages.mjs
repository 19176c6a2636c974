import { readdirSync, readFileSync } from 'node:fs';

/** Returns the names of the folders in packages/ that are built and published: all but private packages. */
export function publishedPackages() {
  return readdirSync('packages').filter(
    (name) => !JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')).private,
  );
}
