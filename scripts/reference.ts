import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandPages } from './command-pages.ts';

/** Writes the reference pages and the man pages. A test compares them with the program. */
const root = join(import.meta.dirname, '..');
for (const folder of ['docs/reference', 'man']) {
  rmSync(join(root, folder), { recursive: true, force: true });
}
const pages = await commandPages();
for (const [path, text] of pages) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

// npm installs the man pages that package.json names.
const manifest = join(root, 'package.json');
const man = [...pages.keys()].filter((path) => path.startsWith('man/')).map((path) => `./${path}`);
writeFileSync(manifest, `${JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), man }, null, 2)}\n`);
