import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/** What somebody has on disk who installed the package. */
export interface Installed {
  readonly megabytes: number;
  /** Packages that come with it, whoever asked for them. */
  readonly packages: number;
  /** Megabytes of each package that is a dependency of our own, without what it brings. */
  readonly own: Readonly<Record<string, number>>;
}

/** Adds up the files that are published and, by the lock file, every package of node_modules that production needs. */
export function installed(): Installed {
  const packages = productionPackages();
  const published = [...manifest.files, 'package.json', 'README.md', 'LICENSE'];
  const bytes = [...published, ...packages].reduce((sum, path) => sum + bytesOf(path), 0);
  const own = Object.keys(manifest.dependencies).map((name) => [name, mb(bytesOf(`node_modules/${name}`))]);
  return { megabytes: mb(bytes), packages: packages.length, own: Object.fromEntries(own) };
}

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

function productionPackages(): string[] {
  const { packages }: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  );
  return Object.entries(packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
    .map(([path]) => path);
}

// Packages within a package count as packages of their own.
function bytesOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    return stat?.size ?? 0;
  }
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return names.reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

function mb(bytes: number): number {
  return Math.round(bytes / 10_000) / 100;
}
