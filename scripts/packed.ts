import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

/**
 * Makes the package smaller. The letters of any-ascii, half a megabyte of text, are kept compressed until a header needs
 * them. jschardet comes in its own minified form.
 */
export const packed: Plugin = {
  name: 'packed',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^jschardet$/ }, () => ({ path: resolve('node_modules/jschardet/dist/jschardet.esm.min.js') }));
    onLoad({ filter: /[\\/]any-ascii[\\/]block\.js$/ }, async ({ path }) => ({
      contents: packedBlocks(await blocksIn(path)),
    }));
  },
};

/** A block holds the spellings of 256 code points. */
const BLOCKS = 0x110000 >> 8;

async function blocksIn(path: string): Promise<string[]> {
  const { default: block } = (await import(pathToFileURL(path).href)) as { default(index: number): string };
  return Array.from({ length: BLOCKS }, (_, index) => block(index));
}

function packedBlocks(blocks: readonly string[]): string {
  const bytes = brotliCompressSync(JSON.stringify(blocks)).toString('base64');
  return [
    "import { brotliDecompressSync } from 'node:zlib';",
    `const blocks = JSON.parse(brotliDecompressSync(Buffer.from('${bytes}', 'base64')).toString());`,
    'export default (index) => blocks[index];',
  ].join('\n');
}
