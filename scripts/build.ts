import { chmod, rename, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { BUNDLE } from './bundle.ts';

/**
 * Bundles the program into dist/. The old bundle stays until the new one is complete. `--smallest` is for the package
 * that is published.
 */
await rm('dist.new', { recursive: true, force: true });
await build({ ...BUNDLE, outdir: 'dist.new' });
await rm('dist', { recursive: true, force: true });
await rename('dist.new', 'dist');
await chmod('bin/svc.js', 0o755);
