// How dependency-cruiser reads the code. scripts/structure.mjs judges what it finds.
module.exports = {
  options: {
    // Imports of types count: a reader has to follow them too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules|/dist/' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { conditionNames: ['@va/source', 'import', 'node'], extensions: ['.ts', '.mjs', '.js'] },
  },
};
