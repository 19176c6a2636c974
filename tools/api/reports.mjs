import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { publishedPackages } from '../../scripts/published-packages.mjs';

// Reports what each entry of each package exports, one file of api/ per entry, from the built declarations:
//
//     npm run api              writes the reports
//     npm run api -- --check   fails if one differs, which is how a change of the public API is seen in a review
const isCheck = process.argv.includes('--check');
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'api');
const temporary = mkdtempSync(join(tmpdir(), 'va-api-'));

const compilerOptions = {
  module: 'nodenext',
  moduleResolution: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
};

function entriesOf(name) {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  return Object.entries(exports).map(([entry, { types }]) => configOf(name, entry, types));
}

function configOf(name, entry, types) {
  const projectFolder = join(root, 'packages', name);
  const mainEntryPointFilePath = join(projectFolder, types);
  const silent = { default: { logLevel: 'none' } };
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder,
      mainEntryPointFilePath,
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      apiReport: {
        enabled: true,
        reportFileName: `${name}${entry.slice(1).replaceAll('/', '-')}.api.md`,
        reportFolder: folder,
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(projectFolder, 'package.json'),
  });
}

const configs = publishedPackages().flatMap(entriesOf);
const [first, ...others] = configs;
const compilerState = CompilerState.create(first, {
  additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
});

/** Returns the name of the report if it differs from the committed one. */
function report(config) {
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: !isCheck,
    compilerState,
    messageCallback(message) {
      message.handled = message.logLevel !== 'error';
    },
  });
  if (!apiReportChanged || (isCheck && isReordered(config))) return [];
  return [config.reportFilePath.slice(root.length)];
}

/**
 * Returns true if a report differs from the committed one only in the order of lines within declarations. The compiler
 * orders the members of unions by what it has met first, which files that export nothing new can change.
 */
function isReordered({ reportFilePath, reportTempFilePath }) {
  return existsSync(reportFilePath) && sorted(reportFilePath).join() === sorted(reportTempFilePath).join();
}

/** Returns the declarations of a report, with the lines of each in alphabetical order. */
function sorted(file) {
  const declarations = readFileSync(file, 'utf8').split('\n\n');
  return declarations.map((each) =>
    each
      .replaceAll('} | {', '}\n{')
      .split('\n')
      .map((line) => line.trim())
      .sort()
      .join('\n'),
  );
}

try {
  const changed = configs.flatMap(report);
  const expected = new Set(configs.map(({ reportFilePath }) => reportFilePath));
  const stale = readdirSync(folder).filter((file) => !expected.has(join(folder, file)));
  if (!isCheck) for (const file of stale) rmSync(join(folder, file));
  const differing = [...changed, ...stale.map((file) => `api/${file}`)];
  console.log(`API reports: ${configs.length}, changed: ${differing.length}`);
  for (const file of differing) console.log(`  ${file}`);
  if (isCheck && differing.length > 0) {
    console.error('The public API differs from its reports. If that is intended, run: npm run build && npm run api');
    process.exitCode = 1;
  }
} finally {
  rmSync(temporary, { recursive: true });
}
