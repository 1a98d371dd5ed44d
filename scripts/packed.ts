import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { type Plugin, transform } from 'esbuild';

/**
 * Makes the package smaller. Tables stay compressed until a list needs them: the letters of any-ascii, the statistics
 * of jschardet and the code pages of iconv-lite. Local names in libraries become short.
 */
export const packed: Plugin = {
  name: 'packed',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]any-ascii[\\/]block\.js$/ }, async ({ path }) => ({
      contents: `const blocks = ${unpackedJson(JSON.stringify(await blocksIn(path)))};
        export default (index) => blocks[index];`,
    }));
    onLoad({ filter: /[\\/]jschardet[\\/]build[\\/]models[\\/]\w+\.bin\.js$/ }, async ({ path }) => ({
      contents: `let bytes;
        export const readBytes = () => (bytes ??= ${unpacked(await bytesIn(path))});`,
    }));
    onLoad({ filter: /[\\/]iconv-lite[\\/]encodings[\\/]tables[\\/].*\.json$/ }, ({ path }) => ({
      contents: `module.exports = ${unpackedJson(readFileSync(path, 'utf8'))};`,
    }));
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
      contents: (await transform(readFileSync(path, 'utf8'), { minifyIdentifiers: true })).code,
    }));
  },
};

/** A block holds the spellings of 256 code points. */
const BLOCKS = 0x110000 >> 8;

async function blocksIn(path: string): Promise<string[]> {
  const { default: block } = (await import(pathToFileURL(path).href)) as { default(index: number): string };
  return Array.from({ length: BLOCKS }, (_, index) => block(index));
}

async function bytesIn(path: string): Promise<Uint8Array> {
  const { readBytes } = (await import(pathToFileURL(path).href)) as { readBytes(): Uint8Array };
  return readBytes();
}

function unpackedJson(text: string): string {
  return `JSON.parse(${unpacked(text)}.toString())`;
}

/** Code that evaluates to these bytes. The highest quality takes a hundred times longer and saves a fifth more. */
function unpacked(content: Uint8Array | string): string {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const text = brotliCompressSync(content, { params }).toString('base64');
  return `process.getBuiltinModule('node:zlib').brotliDecompressSync(Buffer.from('${text}', 'base64'))`;
}
