export { consoleAssets } from './console-assets.ts';
