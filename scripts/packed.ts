import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { type OnLoadResult, type Plugin, transform } from 'esbuild';

/**
 * Makes the package smaller. Tables are compressed files beside the bundle, read when a list needs them: the letters
 * of any-ascii, the statistics of jschardet and the code pages of iconv-lite. Local names in libraries become short.
 */
export const packed: Plugin = {
  name: 'packed',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^packed-reader$/ }, ({ path }) => ({ path, namespace: 'packed-reader' }));
    onLoad({ filter: /.*/, namespace: 'packed-reader' }, () => ({ contents: READER, resolveDir: '.' }));
    onResolve({ filter: /\.br$/ }, ({ path }) => ({ path, namespace: 'table' }));
    onLoad({ filter: /.*/, namespace: 'table' }, async ({ path }) => compressed(await contentOf(path.slice(0, -3))));

    onLoad({ filter: /[\\/]any-ascii[\\/]block\.js$/ }, ({ path }) => ({
      contents: `import { readText } from 'packed-reader';
        import file from ${tableOf(path)};
        const blocks = JSON.parse(readText(file));
        export default (index) => blocks[index];`,
    }));
    onLoad({ filter: /[\\/]jschardet[\\/]build[\\/]models[\\/]\w+\.bin\.js$/ }, ({ path }) => ({
      contents: `import { readBytes as read } from 'packed-reader';
        import file from ${tableOf(path)};
        let bytes;
        export const readBytes = () => (bytes ??= read(file));`,
    }));
    onLoad({ filter: /[\\/]_byte-decode-tables\.js$/ }, async ({ path }) => ({
      contents: `import { readText } from 'packed-reader';
        import file from ${tableOf(path)};
        export const { ${Object.keys(await import(pathToFileURL(path).href))} } = JSON.parse(readText(file));`,
    }));
    onLoad(
      { filter: /[\\/]iconv-lite[\\/]encodings[\\/](tables[\\/].*\.json|sbcs-data-generated\.js)$/ },
      ({ path }) => ({
        contents: `module.exports = JSON.parse(require('packed-reader').readText(require(${tableOf(path)})));`,
      }),
    );
    // undici falls back to this parser where processors know no vectors.
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp-wasm\.js$/ }, ({ path }) => ({
      contents: `module.exports = require('packed-reader').readBytes(require(${tableOf(path)}));`,
    }));
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
      contents: (await transform(readFileSync(path, 'utf8'), { minifyIdentifiers: true })).code,
    }));
  },
};

/** esbuild turns an import of a table into the path of its file, relative to the bundle. */
const READER = `import { readFileSync } from 'node:fs';
  import { brotliDecompressSync } from 'node:zlib';
  export const readBytes = (file) => brotliDecompressSync(readFileSync(new URL(file, import.meta.url)));
  export const readText = (file) => readBytes(file).toString();`;

function tableOf(path: string): string {
  return JSON.stringify(`${path}.br`);
}

async function contentOf(path: string): Promise<Uint8Array | string> {
  if (path.endsWith('.json')) {
    return readFileSync(path, 'utf8');
  }
  const module = await import(pathToFileURL(path).href);
  if (path.endsWith('.bin.js')) {
    return module.readBytes();
  }
  if (path.endsWith('-wasm.js')) {
    return module.default;
  }
  if (path.endsWith('block.js')) {
    return JSON.stringify(blocksOf(module.default));
  }
  return JSON.stringify('default' in module ? module.default : module);
}

/** A block holds the spellings of 256 code points. */
function blocksOf(block: (index: number) => string): string[] {
  return Array.from({ length: 0x110000 >> 8 }, (_, index) => block(index));
}

/** `scripts/build.ts --smallest` makes the tables a sixth smaller, and takes half a minute more. */
const QUALITY = process.argv.includes('--smallest') ? constants.BROTLI_MAX_QUALITY : 9;

function compressed(content: Uint8Array | string): OnLoadResult {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_LGWIN]: 24 };
  return { contents: brotliCompressSync(content, { params }), loader: 'file' };
}
