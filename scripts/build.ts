import { chmod, rename, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { lean } from './lean.ts';

/** Bundles the program into dist/: one small entry, the rest in chunks that commands load when they need them. */
// The old bundle stays until the new one is whole.
await rm('dist.new', { recursive: true, force: true });
await build({
  entryPoints: { main: 'src/main.ts', 'batch-thread-entry': 'src/import/batch/batch-thread-entry.ts' },
  outdir: 'dist.new',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  plugins: [lean],
  // CommonJS dependencies call require(), for Node's own modules alone: everything else is in the bundle.
  banner: { js: 'const require = (id) => process.getBuiltinModule(id);' },
});
await rm('dist', { recursive: true, force: true });
await rename('dist.new', 'dist');
await chmod('bin/svc.js', 0o755);
