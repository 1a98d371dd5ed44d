import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE } from './bundle.ts';

/** Writes THIRD-PARTY-LICENSES when run as a program: the licence of every package with code in the bundle. */
if (import.meta.main) {
  writeFileSync('THIRD-PARTY-LICENSES', await thirdPartyLicenses());
}

export async function thirdPartyLicenses(): Promise<string> {
  const sections = (await bundledPackages()).map(sectionOf);
  return `The program contains code of the packages below.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Folders of node_modules, sorted by name. A package with two versions has two folders. */
async function bundledPackages(): Promise<string[]> {
  const { metafile } = await build({ ...BUNDLE, outdir: 'dist', write: false, metafile: true });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = inputs.flatMap((path) => /^[^:]*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return [...new Set(folders)].sort();
}

function sectionOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) {
    throw new Error(`${name} has no licence file`);
  }
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
