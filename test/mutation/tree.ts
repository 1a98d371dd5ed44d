import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

/** A copy of the source tree that may be broken. */
export interface Tree {
  readonly folder: string;
  /** Applies a mutant and returns the function that removes it. Undefined if its place isn't there exactly once. */
  plant(mutant: Mutant): (() => void) | undefined;
  /** Bundles the program as it is now. */
  build(): void;
  remove(): void;
}

const PARTS = [
  'src',
  'test',
  'samples',
  'bin',
  'scripts',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'README.md',
  'docs',
  'schema',
];

/** Copies the files that tests need, and links packages. */
export function copyTree(root: string): Tree {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mutants-'));
  for (const part of PARTS.filter((name) => existsSync(join(root, name)))) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    plant({ file, from, to }) {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      if (text.split(from).length !== 2) {
        return undefined;
      }
      writeFileSync(
        path,
        text.replace(from, () => to),
      );
      return () => writeFileSync(path, text);
    },
    build: () => {
      execFileSync(process.execPath, ['--no-warnings', join('scripts', 'build.ts')], { cwd: folder, stdio: 'ignore' });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
