import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs npm packages into a folder that is removed when the process exits, and returns that folder. Install scripts
 * do not run: onnxruntime-node's would download GPU libraries, and the packages used here work without theirs.
 */
export function installTemporarily(packages) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}

/** Unpacks an npm package, without its dependencies, into a folder as above, and returns the package's folder. */
export function unpackTemporarily(name) {
  const cwd = temporaryFolder();
  const options = { cwd, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('npm', ['pack', '--loglevel=error', name], options);
  execFileSync('tar', ['-xzf', ...readdirSync(cwd)], options);
  return join(cwd, 'package');
}

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'va-tool-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
